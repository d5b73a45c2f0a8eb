// Finds documents for a query that is a host, a URL or an e-mail address. Compares the query only with domains and
// whole names, not with single words.
import type { HostQuery } from '../catalog/host-query.js';
import { tokenize } from '../platform/text/tokenize.js';
import { NAME, numberOfSlug, type SearchData, type SearchDocument } from './documents.js';
import { eachPosting, findTerm, prefixRange } from './inverted-index.js';
import type { Matches } from './matcher.js';
import { groupOf, TIER, type Group } from './ranking.js';

export interface HostOwner {
  readonly slug: string;
  /** `domain`: the brand has exactly this host. `subdomain`: the brand has a parent domain of this host. */
  readonly match: 'domain' | 'subdomain';
}

/** Returns the owner of a host. Returns undefined if no brand has the host or a parent domain of it. */
export type FindHostOwner = (query: HostQuery) => HostOwner | undefined;

/**
 * Returns matches in this order: brands with this name, the owner of the host, other brands with this domain, brands
 * with a longer name that starts with the query.
 */
export function matchHost(data: SearchData, query: HostQuery, owner: HostOwner | undefined): Matches {
  const groups = new Map<number, Group>();
  const offer = (document: number, group: Group): void => {
    groups.set(document, Math.min(group, groups.get(document) ?? Infinity));
  };
  const owned = owner && numberOfSlug(data.names, data.documents, owner.slug);
  if (owned !== undefined) offer(owned, groupOf(TIER.domain, owner?.match === 'domain' ? 0 : 1));
  // A bare host may also be the name of a brand ("yandex.ru"). A URL ("https://yandex.ru") counts as a name only if no
  // brand owns the host.
  const isName = query.isBare || owner === undefined;
  for (const name of query.names) {
    const { normalized } = tokenize(name);
    const exact = findTerm(data.names, normalized);
    if (exact !== undefined)
      eachPosting(data.names, exact, (document, field) => {
        const tier = NAME_TIERS[field];
        if (tier !== undefined && isName) offer(document, groupOf(tier, 0));
        else if (data.documents[document]?.domains.includes(query.any)) offer(document, groupOf(TIER.domain, 2));
      });
    if (query.isBare) eachBegun(data, name, normalized, (document) => offer(document, groupOf(TIER.prefix, 0)));
  }
  return {
    count: groups.size,
    documents: Int32Array.from(groups.keys()),
    groupOf: (document) => groups.get(document) ?? Infinity,
    best: Math.min(Infinity, ...groups.values()),
  };
}

/**
 * Tier of a match of the whole name, by field of `names`. A tier is a class of matches. The field `domain` has no tier
 * here, because domains are compared unchanged, not as tokenized names.
 */
const NAME_TIERS: readonly (number | undefined)[] = [TIER.slug, TIER.title, TIER.alias];

/**
 * Visits documents with a name that starts with the query: "monday.co" finds "monday.com", and "asp.net" finds "ASP.NET
 * Core".
 */
function eachBegun(data: SearchData, text: string, typed: string, visit: (document: number) => void): void {
  const [from, to] = prefixRange(data.names, typed);
  for (let term = from; term < to; term++)
    eachPosting(data.names, term, (document, field) => {
      const known = data.documents[document];
      if (field !== NAME.shortForm && known && namesOf(known).some((name) => name.toLowerCase().startsWith(text)))
        visit(document);
    });
}

function namesOf({ slug, title, aliases, domains }: SearchDocument): readonly string[] {
  return [slug, title, ...aliases, ...domains];
}

/** Returns the domain to highlight: the host itself, its nearest parent domain, or the brand's main domain. */
export function domainOf({ domain, domains }: SearchDocument, { any }: HostQuery): string | undefined {
  const above = domains.filter((each) => any === each || any.endsWith(`.${each}`));
  return above.sort((one, other) => other.length - one.length)[0] ?? domain ?? undefined;
}
