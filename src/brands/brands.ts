// Brand lookup by domain, URL, e-mail address or name.
import {
  emailDomain,
  parseAnyHost,
  parseEmailHost,
  parseHost,
  type Host,
  type HostOutcome,
} from '../platform/web/host-name.js';
import { brandByName } from './brand-by-name.js';
import { parseSlug, type Entry, type Slug } from '../catalog/entry.js';
import { missingNames, type MissingName } from '../platform/not-found.js';
import type { OwnEntries } from '../catalog/own-entries.js';
import type { HostOwner } from '../search/host-matches.js';
import { readyIndexes, type CatalogIndex, type CatalogIndexes } from '../search/indexes.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { Reader } from '../platform/reader.js';
import type { Turns } from '../platform/concurrency/time-slices.js';

const MOST_ALTERNATIVES = 5;

export type BrandQuery =
  | { readonly domain: string }
  | { readonly url: string }
  | { readonly email: string }
  | { readonly name: string };

type BrandOutcome =
  | {
      readonly kind: 'found';
      readonly match: 'domain' | 'subdomain' | 'name' | 'alias';
      readonly entry: Entry;
      /** Other entries of the same registrable domain or name, best first, at most five. */
      readonly alternatives: readonly Entry[];
    }
  /**
   * No brand was found. `missing`: names to count as missing; empty if the catalog cannot have a brand for this lookup.
   * `reason`: completes an error message, such as "is an IP address".
   */
  | { readonly kind: 'none'; readonly missing: readonly MissingName[]; readonly reason?: string }
  | { readonly kind: 'invalid'; readonly field: 'domain' | 'url' | 'email' | 'name'; readonly reason: string };

export type Brands = ReturnType<typeof createBrands>;

interface BrandsOptions {
  readonly index: Pick<CatalogIndex, 'current' | 'peek'>;
  readonly turns: Turns;
}

/** Host of a lookup in two forms, because hosts of own brands have another form than hosts of the catalog's brands. */
export interface AskedHost {
  /**
   * Host for comparison with the hosts of own brands, which accounts have uploaded. It is the result of `parseAnyHost`,
   * and may be a private name or an IP address.
   */
  readonly anyHost: string | undefined;
  /**
   * Host for comparison with the hosts of the catalog's brands. Undefined if no brand of the catalog can have this
   * host.
   */
  readonly host: Host | undefined;
}

export function askedHost(text: string): AskedHost {
  const outcome = parseHost(text);
  return { anyHost: parseAnyHost(text), host: outcome.kind === 'host' ? outcome : outcome.suffix };
}

export function createBrands({ index, turns }: BrandsOptions) {
  async function entryIn(catalog: AccountCatalog, text: string): Promise<Entry | undefined> {
    const slug = parseSlug(text);
    const found = slug && (await catalog.find(slug));
    return found?.kind === 'entry' ? found.entry : undefined;
  }

  async function find(query: BrandQuery, { own }: AccountCatalog, caller: string): Promise<IndexOutcome> {
    const indexes = await readyIndexes(index);
    if (!('name' in query)) {
      const found = lookUpHost(indexes, query);
      const mine = own && (await ownHost(own, query));
      if (!mine) return found;
      return { kind: 'found', ...mine, alternatives: found.kind === 'found' ? slugsOf(found) : [] };
    }
    const found = await lookUpName(indexes, query.name, caller);
    const search = await own?.search();
    const mine = search && (await turns.run(caller, brandByName(search, query.name)));
    // If an own brand and a public brand were found, the own brand takes precedence only if it has exactly the name of
    // the query.
    if (!mine || (found.kind === 'found' && search.named(query.name).length === 0)) return found;
    return {
      kind: 'found',
      ...mine,
      alternatives: [...mine.alternatives, ...(found.kind === 'found' ? slugsOf(found) : [])],
    };
  }

  async function lookUpName({ search }: CatalogIndexes, name: string, caller: string): Promise<IndexOutcome> {
    const found = await turns.run(caller, brandByName(search, name));
    return found ? { kind: 'found', ...found } : { kind: 'none', missing: missingNames('name', name) };
  }

  return {
    /** Returns the slug of the brand that `lookup` finds for this host. Throws the same errors as `lookup`. */
    async ownerOf({ anyHost, host }: AskedHost, catalog: AccountCatalog): Promise<Slug | undefined> {
      const own = anyHost === undefined ? undefined : await catalog.own?.owner(anyHost);
      if (own) return own.slug;
      const owner = host && (await readyIndexes(index)).brands.owner(host);
      return owner && (await entryIn(catalog, owner.slug))?.slug;
    },

    /** Looks a brand up. Rejects with AppError `unavailable` before the first import. */
    async lookup(query: BrandQuery, catalog: AccountCatalog, { fairnessKey, inTime }: Reader): Promise<BrandOutcome> {
      const found = await find(query, catalog, fairnessKey);
      if (found.kind !== 'found') return found;
      const slugs = [...new Set(slugsOf(found))].slice(0, 1 + MOST_ALTERNATIVES);
      // Slugs in the index may belong to entries that were withdrawn since the index was built. These are skipped.
      const candidates = await inTime(Promise.all(slugs.map((slug) => entryIn(catalog, slug))));
      const [entry, ...alternatives] = candidates;
      if (!entry) return { kind: 'none', missing: [] };
      return {
        kind: 'found',
        match: found.match,
        entry,
        alternatives: alternatives.filter((each) => each !== undefined),
      };
    },
  };
}

type IndexOutcome =
  | Exclude<BrandOutcome, { kind: 'found' }>
  | {
      readonly kind: 'found';
      readonly match: 'domain' | 'subdomain' | 'name' | 'alias';
      readonly slug: string;
      readonly alternatives: readonly string[];
    };

const slugsOf = ({ slug, alternatives }: IndexOutcome & { readonly kind: 'found' }): readonly string[] => [
  slug,
  ...alternatives,
];

async function ownHost(
  own: OwnEntries,
  query: Exclude<BrandQuery, { readonly name: string }>,
): Promise<HostOwner | undefined> {
  const text = 'domain' in query ? query.domain : 'url' in query ? query.url : emailDomain(query.email);
  const host = text === undefined ? undefined : parseAnyHost(text);
  return host === undefined ? undefined : own.owner(host);
}

function lookUpHost({ brands }: CatalogIndexes, query: Exclude<BrandQuery, { readonly name: string }>): IndexOutcome {
  const [field, outcome]: readonly ['domain' | 'url' | 'email', HostOutcome] =
    'domain' in query
      ? ['domain', parseHost(query.domain)]
      : 'url' in query
        ? ['url', parseHost(query.url)]
        : ['email', parseEmailHost(query.email)];
  const host = outcome.kind === 'host' ? outcome : outcome.suffix;
  const owner = host && brands.owner(host);
  if (owner) return { kind: 'found', ...owner };
  if (outcome.kind === 'host') return { kind: 'none', missing: missingNames('domain', outcome.registrable) };
  const { reason, isHostName = false } = outcome;
  return isHostName ? { kind: 'none', missing: [], reason } : { kind: 'invalid', field, reason };
}
