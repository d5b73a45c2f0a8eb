// Catalogs as accounts see them. An account's own brands take precedence over public entries.
import { LRUCache } from 'lru-cache';
import type { Account, AccountId } from '../accounts/account.js';
import type { Entry, Lookup, Slug } from './entry.js';
import { singleFlight } from '../platform/concurrency/single-flight.js';
import type { RunSteps, Turns } from '../platform/concurrency/time-slices.js';
import { AppError } from '../platform/errors.js';
import type { OwnBrandPages, OwnEntries } from './own-entries.js';
import type { Credential } from '../accounts/credential.js';
import type { Catalog } from './catalog.js';

/** Catalog as one account sees it. Without own brands, it is the public catalog. */
export interface AccountCatalog {
  /**
   * Ids of the records (pages) that store the account's own brands, or ALL_REMOVED if the account removed all own
   * brands. Empty if the account never had own brands. The ids are part of the `ETag` of every answer that depends on
   * own brands.
   */
  readonly ownBrandPageIds: string;
  /** Own brands of the account; undefined if it has none. */
  readonly own: OwnEntries | undefined;
  /** Rejects with AppError `unavailable` before the first import, except for slugs of own brands. */
  readonly find: (slug: Slug) => Promise<Lookup>;
  /**
   * Returns the cached result of `find`, or undefined if it is not cached. Returns the same object until the entry
   * changes.
   */
  readonly peek: (slug: Slug) => Lookup | undefined;
  /**
   * Returns a function that reads drawings of this entry by `etag`. The function holds no reference to the catalog, so
   * that the memory of the catalog can be freed.
   */
  readonly drawingsOf: (entry: Pick<Entry, 'own'>) => ReadDrawing;
}

/**
 * Returns the SVG text of the drawing `etag`: directly if it is cached, otherwise as a promise. Rejects with AppError
 * `unavailable`, or with OwnBrandsChangedError.
 */
export type ReadDrawing = (etag: string) => Promise<string> | string;

/**
 * Error for a record or drawing of own brands that no longer exists, because the own brands were changed after the
 * account was read.
 */
export class OwnBrandsChangedError extends AppError {
  constructor() {
    super('unavailable', 'The own brands of this account are being changed. Try again.', { retryAfterSeconds: 1 });
  }
}

/**
 * Estimated memory in bytes for each UTF-16 unit of the JSON of own brands. The indexes, which are built later, are
 * included. The JSON of a typical brand has 1000 units.
 */
const BYTES_PER_PAGE_CHAR = 6;

interface AccountCatalogBounds {
  /** Maximum memory of all cached own brands and their indexes, bytes. */
  readonly pageBytes: number;
  /**
   * Maximum total length of all cached own drawings, UTF-16 units. In memory, almost every unit takes one byte, because
   * V8 stores Latin-1 text with one byte per unit.
   */
  readonly drawingChars: number;
}
/** Estimated memory of a cached account in addition to its own brands, in UTF-16 units. */
const ACCOUNT_CHARS = 1000;
/**
 * Maximum number of API keys to remember per account. If one more key is added, all earlier keys of the account are
 * forgotten.
 */
const MAX_KEYS = 100;

interface Options {
  readonly catalog: Pick<Catalog, 'find' | 'peek' | 'drawing'>;
  readonly ownBrands: OwnBrandPages;
  readonly turns: Turns;
  readonly bounds: AccountCatalogBounds;
}

interface OwnCatalog extends AccountCatalog {
  readonly index: OwnEntries;
  /**
   * Hashes of the account's API keys with which requests were admitted. For any other key, `cached` returns the public
   * catalog.
   */
  readonly keys: Set<string>;
}

export type AccountCatalogs = ReturnType<typeof createAccountCatalogs>;

/** Returns the catalog of an account without own brands. */
export function publicCatalog(catalog: Options['catalog']): AccountCatalog {
  const read: ReadDrawing = (etag) => catalog.drawing(etag);
  return {
    ownBrandPageIds: '',
    own: undefined,
    find: (slug) => catalog.find(slug),
    peek: (slug) => catalog.peek(slug),
    drawingsOf: () => read,
  };
}

export function createAccountCatalogs({ catalog, ownBrands, turns, bounds }: Options) {
  const catalogs = new LRUCache<AccountId, OwnCatalog>({
    maxSize: bounds.pageBytes,
    sizeCalculation: ({ index }) => (index.chars + ACCOUNT_CHARS) * BYTES_PER_PAGE_CHAR,
  });
  const loading = new Map<string, Promise<OwnCatalog>>();
  const drawings = new LRUCache<string, string>({
    maxSize: bounds.drawingChars,
    sizeCalculation: (svg) => svg.length + 100,
  });
  const reading = new Map<string, Promise<string>>();
  const shared = publicCatalog(catalog);

  async function readDrawing(id: AccountId, etag: string): Promise<string> {
    const svg = (await ownBrands.texts(id, [etag])).get(etag);
    if (svg === undefined) throw new OwnBrandsChangedError();
    drawings.set(etag, svg);
    return svg;
  }

  async function load(id: AccountId, pageIds: string): Promise<OwnCatalog> {
    const before = catalogs.get(id);
    const run: RunSteps = (steps) => turns.run(id, steps);
    const index = await ownBrands.read(id, pageIds, { before: before?.index, run });
    if (!index) throw new OwnBrandsChangedError();
    const readOwn = (etag: string) =>
      drawings.get(etag) ?? singleFlight(reading, `${id} ${etag}`, () => readDrawing(id, etag));
    const facts = { ownBrandPageIds: pageIds, index, keys: before?.keys ?? new Set<string>() };
    const loaded = { ...(index.isEmpty ? shared : withOwn(shared, index, readOwn)), ...facts };
    catalogs.set(id, loaded);
    return loaded;
  }

  async function forPages(id: AccountId, pageIds: string): Promise<AccountCatalog> {
    const now = catalogs.get(id);
    if (pageIds === '') {
      catalogs.delete(id);
      return shared;
    }
    return now?.ownBrandPageIds === pageIds ? now : singleFlight(loading, `${id} ${pageIds}`, () => load(id, pageIds));
  }

  return {
    shared,

    /**
     * Returns the cached catalog of the account if a request with this key was admitted before. Otherwise returns the
     * public catalog, so that a wrong key starts no work for the account. The cached catalog may be outdated. The
     * admission of the request returns the current ids of the pages with own brands. The caller must compare these ids
     * with `ownBrandPageIds` of the cached catalog.
     */
    cached({ accountId, keyHash }: Credential): AccountCatalog {
      const now = catalogs.get(accountId);
      return now?.keys.has(keyHash) ? now : shared;
    },

    /**
     * Returns the catalog of an account. The second argument is the ids of the records that store its own brands.
     * Rejects with OwnBrandsChangedError if the own brands have changed since the ids were read.
     */
    forPages,

    /**
     * Returns the same as `forPages`, and remembers the key for `cached`. Call it just after a request with this key
     * was admitted.
     */
    async forAdmittedKey({ accountId, keyHash }: Credential, pageIds: string): Promise<AccountCatalog> {
      const catalog = await forPages(accountId, pageIds);
      const keys = catalogs.peek(accountId)?.keys;
      if (keys && keys.size >= MAX_KEYS) keys.clear();
      keys?.add(keyHash);
      return catalog;
    },

    /**
     * Returns the catalog of `account`, or the public catalog if `account` is undefined. Read the account just before
     * this call, because the call rejects if the own brands have changed since then.
     */
    of: async (account: Pick<Account, 'id' | 'ownBrands'> | undefined): Promise<AccountCatalog> =>
      account ? forPages(account.id, account.ownBrands?.pages ?? '') : shared,
  };
}

function withOwn(shared: AccountCatalog, own: OwnEntries, read: ReadDrawing): Omit<AccountCatalog, 'ownBrandPageIds'> {
  return {
    own,
    drawingsOf: (entry) => (entry.own === true ? read : shared.drawingsOf(entry)),
    async find(slug) {
      const lookup = own.lookup(slug);
      if (lookup) return lookup;
      const found = await shared.find(slug);
      const to = found.kind === 'entry' ? undefined : await own.redirect(slug);
      return to === undefined ? found : { kind: 'moved', to };
    },
    peek(slug) {
      const lookup = own.lookup(slug) ?? shared.peek(slug);
      return lookup?.kind === 'entry' || own.leadsNowhere(slug) ? lookup : undefined;
    },
  };
}
