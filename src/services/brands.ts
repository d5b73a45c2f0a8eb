// Brand lookup by domain, URL, e-mail address or name.
import { parseEmailHost, parseHost, type Host, type HostOutcome } from '../domain/web/host-name.js';
import { brandByName } from '../domain/brand/brand-by-name.js';
import { parseSlug, type Entry, type Slug } from '../domain/catalog/entry.js';
import type { CatalogStore } from '../ports/catalog-store.js';
import { readyIndexes, type CatalogIndex, type CatalogIndexes } from './catalog/indexes.js';
import type { Reader } from './reader.js';
import type { Turns } from './turns.js';

/** Exactly one of them. */
export type BrandQuery =
  { readonly domain: string } | { readonly url: string } | { readonly email: string } | { readonly name: string };

type BrandOutcome =
  | {
      readonly kind: 'found';
      readonly match: 'domain' | 'subdomain' | 'name' | 'alias';
      readonly entry: Entry;
      /** Other entries of the same registrable domain or name, best first, at most five. */
      readonly alternatives: readonly Entry[];
    }
  /** `registrable`: of the host that was asked for. */
  | { readonly kind: 'none'; readonly registrable?: string }
  | { readonly kind: 'invalid'; readonly field: 'domain' | 'url' | 'email' | 'name'; readonly reason: string };

export type Brands = ReturnType<typeof createBrands>;

interface BrandsOptions {
  readonly index: Pick<CatalogIndex, 'current' | 'peek'>;
  readonly catalog: Pick<CatalogStore, 'find'>;
  readonly turns: Turns;
}

export function createBrands({ index, catalog, turns }: BrandsOptions) {
  async function entryOf(text: string): Promise<Entry | undefined> {
    const slug = parseSlug(text);
    const found = slug && (await catalog.find(slug));
    return found?.kind === 'entry' ? found.entry : undefined;
  }

  async function lookUpName({ search }: CatalogIndexes, name: string, caller: string): Promise<IndexOutcome> {
    const found = await turns.run(caller, brandByName(search, name));
    return found ? { kind: 'found', ...found } : { kind: 'none' };
  }

  return {
    /** The slug that `lookup` finds for this host. Throws the same. */
    async ownerOf(host: Host): Promise<Slug | undefined> {
      const owner = (await readyIndexes(index)).brands.owner(host);
      return owner && (await entryOf(owner.slug))?.slug;
    },

    /** Throws AppError `unavailable` before the first import. */
    async lookup(query: BrandQuery, { fairnessKey, inTime }: Reader): Promise<BrandOutcome> {
      const indexes = await readyIndexes(index);
      const found = 'name' in query ? await lookUpName(indexes, query.name, fairnessKey) : lookUpHost(indexes, query);
      if (found.kind !== 'found') return found;
      // An entry may have been withdrawn since the index was built.
      const candidates = await inTime(Promise.all([found.slug, ...found.alternatives].map(entryOf)));
      const [entry, ...alternatives] = candidates;
      if (!entry) return { kind: 'none' };
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
  return outcome.kind === 'invalid'
    ? { kind: 'invalid', field, reason: outcome.reason }
    : { kind: 'none', registrable: outcome.registrable };
}
