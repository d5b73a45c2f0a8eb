// Brand index: finds the brand that owns a host, and other brands on the registrable domain. Entries have claims to
// hosts, and the brand with the strongest claim is the owner.
import type { Entry } from '../catalog/entry.js';
import { addTo } from '../platform/concurrency/lists-by-key.js';
import { isUnder, parseHost, upward, type Host } from '../platform/web/host-name.js';
import { CLAIM, claimsOf, foldName, ownNames, type Claim } from './domain-claims.js';

/** Facts about brands that the operator adds to the catalog. */
export interface BrandFacts {
  /**
   * Slug or name of a brand → its hosts. These claims are stronger than all other claims. Brands that the catalog lacks
   * are ignored.
   */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Slugs or names of brands that own their name under the suffix of every country (google.de, amazon.co.uk). */
  readonly everywhere: readonly string[];
  /**
   * Registrable domains or hosts where users publish pages. An entry with a page there need not be a product of the
   * host's owner.
   */
  readonly hosting: readonly string[];
}

interface BrandOwner {
  readonly slug: string;
  /** `domain`: the brand has exactly this host. `subdomain`: the brand has a parent domain of this host. */
  readonly match: 'domain' | 'subdomain';
  /** Slugs of other brands with a claim, best first, at most five. */
  readonly alternatives: readonly string[];
}

export type BrandIndex = ReturnType<ReturnType<typeof collectBrandClaims>['finish']>;

const MOST_ALTERNATIVES = 5;

interface RankedClaim {
  readonly slug: string;
  readonly strength: number;
}

/** Collects the claims of entries to hosts. Call `add` for every entry, then `finish`. */
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
    /** Sorts the claims. `rankOf`: returns a brand's position by fame; 0 is the best known brand. */
    finish(rankOf: (slug: string) => number) {
      for (const claims of [...byHost.values(), ...byDomain.values()])
        claims.sort((a, b) => b.strength - a.strength || rankOf(a.slug) - rankOf(b.slug));
      return {
        /** Returns undefined if no brand has a claim to the host or its parent domains. */
        owner: (host: Host): BrandOwner | undefined => ownerOf({ byHost, byDomain, labels }, host),
      };
    },
  };
}

interface Claims {
  readonly byHost: ReadonlyMap<string, readonly RankedClaim[]>;
  readonly byDomain: ReadonlyMap<string, readonly RankedClaim[]>;
  /** Name → slug of the brand that owns the name under the suffix of every country (google.de, google.co.uk). */
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
