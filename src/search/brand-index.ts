// Brand index: the owner of a host by its strongest claim, with the other brands of the registrable domain.
import type { Entry } from '../catalog/entry.js';
import { addTo } from '../platform/concurrency/lists-by-key.js';
import { isUnder, parseHost, upward, type Host } from '../platform/web/host-name.js';
import { CLAIM, claimsOf, foldName, ownNames, type Claim } from './domain-claims.js';

/** The operator's statements, for what the catalog's own facts do not show. */
export interface BrandFacts {
  /**
   * Hosts by slug or name; they are that brand's against any other claim. A brand that the catalog lacks is ignored.
   */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Brands that own their name under every country's suffix (google.de, amazon.co.uk), by slug or name. */
  readonly everywhere: readonly string[];
  /**
   * Registrable domains or hosts whose pages are their users', so that an entry with a page there is no product of
   * theirs.
   */
  readonly hosting: readonly string[];
}

interface BrandOwner {
  readonly slug: string;
  /** `domain`: the very host is the brand's; `subdomain`: one above it is. */
  readonly match: 'domain' | 'subdomain';
  /** Slugs, best first, at most five. */
  readonly alternatives: readonly string[];
}

export type BrandIndex = ReturnType<ReturnType<typeof collectBrandClaims>['finish']>;

const MOST_ALTERNATIVES = 5;

interface RankedClaim {
  readonly slug: string;
  readonly strength: number;
}

/** Add every entry, then finish. */
export function collectBrandClaims(facts: BrandFacts) {
  const byHost = new Map<string, RankedClaim[]>();
  const byDomain = new Map<string, RankedClaim[]>();
  const stated = new Map(Object.entries(facts.hosts).map(([name, hosts]) => [foldName(name), hosts]));
  const everywhere = new Set(facts.everywhere.map(foldName));
  const labels = new Map<string, string>();
  const isHosting = (host: Host) => isUnder(host, facts.hosting);
  const keep = (slug: string, { host, registrable, strength }: Claim) => {
    if (strength > CLAIM.page) addTo(byHost, host, { slug, strength });
    addTo(byDomain, registrable, { slug, strength });
  };
  return {
    add(entry: Entry) {
      for (const [at, name] of ownNames(entry).entries()) {
        const exact = at === 0;
        for (const given of stated.get(name) ?? []) {
          const parsed = parseHost(given);
          const host = parsed.kind === 'host' ? parsed : parsed.suffix;
          const strength = exact ? CLAIM.stated : CLAIM.statedByTitle;
          if (host) keep(entry.slug, { host: host.host, registrable: host.registrable, strength });
        }
        if (everywhere.has(name) && (exact || !labels.has(name))) labels.set(name, entry.slug);
      }
      for (const claim of claimsOf(entry, isHosting)) keep(entry.slug, claim);
    },
    /** `rankOf` is the order of fame, least is best. */
    finish(rankOf: (slug: string) => number) {
      for (const claims of [...byHost.values(), ...byDomain.values()])
        claims.sort((a, b) => b.strength - a.strength || rankOf(a.slug) - rankOf(b.slug));
      return {
        /** Undefined when no brand has a claim. */
        owner: (host: Host): BrandOwner | undefined => ownerOf({ byHost, byDomain, labels }, host),
      };
    },
  };
}

interface Claims {
  readonly byHost: ReadonlyMap<string, readonly RankedClaim[]>;
  readonly byDomain: ReadonlyMap<string, readonly RankedClaim[]>;
  /** Names that belong to one brand under any suffix. */
  readonly labels: ReadonlyMap<string, string>;
}

function ownerOf({ byHost, byDomain, labels }: Claims, host: Host): BrandOwner | undefined {
  const found = upward(host).find((each) => byHost.has(each));
  const slug =
    found === undefined ? (host.national ? labels.get(foldName(host.label)) : undefined) : byHost.get(found)?.[0]?.slug;
  if (slug === undefined) return undefined;
  const others = [...(found === undefined ? [] : (byHost.get(found) ?? [])), ...(byDomain.get(host.registrable) ?? [])];
  const alternatives = [...new Set(others.map((claim) => claim.slug))].filter((other) => other !== slug);
  const exact = (found ?? host.registrable) === host.host;
  return { slug, match: exact ? 'domain' : 'subdomain', alternatives: alternatives.slice(0, MOST_ALTERNATIVES) };
}
