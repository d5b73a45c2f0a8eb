// Catalogs as accounts have them: an account's own brands before the entries that are public.
import { LRUCache } from 'lru-cache';
import type { Account, AccountId } from '../accounts/account.js';
import type { Entry, Lookup, Slug } from './entry.js';
import { singleFlight } from '../platform/concurrency/single-flight.js';
import type { RunSteps, Turns } from '../platform/concurrency/time-slices.js';
import { AppError } from '../platform/errors.js';
import type { OwnBrandPages, OwnEntries } from './own-entries.js';
import type { Credential } from '../accounts/credential.js';
import type { Catalog } from './catalog.js';

/** The one way to an entry for a caller. Without own brands it is the public catalog. */
export interface AccountCatalog {
  /** Ids of the pages of own brands, or ALL_REMOVED; empty: there never were any. Part of the tags of all answers that depend on them. */
  readonly pages: string;
  /** Undefined: there are none. */
  readonly own: OwnEntries | undefined;
  /** Throws AppError `unavailable` before the first import, but for own brands. */
  readonly find: (slug: Slug) => Promise<Lookup>;
  /** The result of `find`, if it is in memory; the same object while nothing of the entry changes. */
  readonly peek: (slug: Slug) => Lookup | undefined;
  /** Reads drawings of this entry, by `etag`. Holds nothing of the catalog. */
  readonly drawingsOf: (entry: Pick<Entry, 'own'>) => ReadDrawing;
}

/** No promise for one that is in memory. Rejects with AppError `unavailable`, and with OwnBrandsChangedError. */
export type ReadDrawing = (etag: string) => Promise<string> | string;

/** A page or drawing is gone: the own brands were changed since the account was read. */
export class OwnBrandsChangedError extends AppError {
  constructor() {
    super('unavailable', 'The own brands of this account are just being changed.', { retryAfterSeconds: 1 });
  }
}

/** Memory of an UTF-16 unit of the pages' JSON, of which a usual brand has a thousand: with the indexes that are built when they are asked for. */
const BYTES_PER_PAGE_CHAR = 6;

interface AccountCatalogBounds {
  /** Memory of the pages, with what is made of them. */
  readonly pageBytes: number;
  /** UTF-16 units of own drawings; almost all of it takes one byte each. */
  readonly drawingChars: number;
}
/** In the place of what an account takes beside its pages. */
const ACCOUNT_CHARS = 1000;
/** Of an account, that were admitted. */
const MAX_KEYS = 100;

interface Options {
  readonly catalog: Pick<Catalog, 'find' | 'peek' | 'drawing'>;
  readonly ownBrands: OwnBrandPages;
  readonly turns: Turns;
  readonly bounds: AccountCatalogBounds;
}

interface OwnCatalog extends AccountCatalog {
  readonly index: OwnEntries;
  /** Hashes of the keys that were admitted: a request with another one is not prepared by this catalog. */
  readonly keys: Set<string>;
}

export type AccountCatalogs = ReturnType<typeof createAccountCatalogs>;

/** The catalog of an account without own brands. */
export function publicCatalog(catalog: Options['catalog']): AccountCatalog {
  const read: ReadDrawing = (etag) => catalog.drawing(etag);
  return {
    pages: '',
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

  async function load(id: AccountId, pages: string): Promise<OwnCatalog> {
    const before = catalogs.get(id);
    const run: RunSteps = (steps) => turns.run(id, steps);
    const index = await ownBrands.read(id, pages, { before: before?.index, run });
    if (!index) throw new OwnBrandsChangedError();
    const readOwn = (etag: string) =>
      drawings.get(etag) ?? singleFlight(reading, `${id} ${etag}`, () => readDrawing(id, etag));
    const facts = { pages, index, keys: before?.keys ?? new Set<string>() };
    const loaded = { ...(index.isEmpty ? shared : withOwn(shared, index, readOwn)), ...facts };
    catalogs.set(id, loaded);
    return loaded;
  }

  async function forPages(id: AccountId, pages: string): Promise<AccountCatalog> {
    const now = catalogs.get(id);
    if (pages === '') {
      catalogs.delete(id);
      return shared;
    }
    return now?.pages === pages ? now : singleFlight(loading, `${id} ${pages}`, () => load(id, pages));
  }

  return {
    /** Without own brands. */
    shared,

    /**
     * That of an account as this process knows it, for a key that `admitted` has seen; else the public one, so that a wrong key sets
     * nothing of the account in motion. An answer may rest on it only once the admission has named the same pages.
     */
    cached({ accountId, keyHash }: Credential): AccountCatalog {
      const now = catalogs.get(accountId);
      return now?.keys.has(keyHash) ? now : shared;
    },

    /** That of an account with these pages. Rejects with OwnBrandsChangedError when it has others by now. */
    forPages,

    /** As `at`, for a key that was just admitted. */
    async forAdmittedKey({ accountId, keyHash }: Credential, pages: string): Promise<AccountCatalog> {
      const catalog = await forPages(accountId, pages);
      const keys = catalogs.peek(accountId)?.keys;
      if (keys && keys.size >= MAX_KEYS) keys.clear();
      keys?.add(keyHash);
      return catalog;
    },

    /** The catalog of an account that was just read; undefined: the public one. */
    of: async (account: Pick<Account, 'id' | 'ownBrands'> | undefined): Promise<AccountCatalog> =>
      account ? forPages(account.id, account.ownBrands?.pages ?? '') : shared,
  };
}

function withOwn(shared: AccountCatalog, own: OwnEntries, read: ReadDrawing): Omit<AccountCatalog, 'pages'> {
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
