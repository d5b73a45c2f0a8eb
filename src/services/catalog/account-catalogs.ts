// Catalogs as accounts have them: an account's own brands before the entries that are public.
import { LRUCache } from 'lru-cache';
import type { Account, AccountId } from '../../domain/account/account.js';
import type { Entry, Lookup, Slug } from '../../domain/catalog/entry.js';
import { onceAtATime } from '../../domain/concurrency/once-at-a-time.js';
import { pageIds } from '../../domain/own-brands/brand-pages.js';
import { OwnIndex } from '../../domain/own-brands/own-index.js';
import type { OwnBrand } from '../../domain/own-brands/own-brand.js';
import { AppError } from '../../errors.js';
import type { OwnBrandTexts } from '../../ports/own-brand-texts.js';
import type { Catalog } from './catalog.js';

/** The one way to an entry for a caller. Without own brands it is the public catalog. */
export interface AccountCatalog {
  /** Ids of the pages of own brands; empty: there are none. Part of the tags of all answers that depend on them. */
  readonly pages: string;
  /** Undefined: there are none. */
  readonly own: OwnIndex | undefined;
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

/** Length of the pages in memory, in UTF-16 units of their JSON; parsed and indexed, they take some four times as many bytes. */
const MAX_PAGE_CHARS = 16_000_000;
/** UTF-16 units of own drawings in memory. */
const MAX_DRAWING_CHARS = 8_000_000;

interface Options {
  readonly catalog: Pick<Catalog, 'find' | 'peek' | 'drawing'>;
  readonly texts: Pick<OwnBrandTexts, 'get'>;
}

interface OwnCatalog extends AccountCatalog {
  readonly own: OwnIndex;
  readonly brandsByPage: ReadonlyMap<string, readonly OwnBrand[]>;
  readonly chars: number;
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

export function createAccountCatalogs({ catalog, texts }: Options) {
  const known = new LRUCache<AccountId, OwnCatalog>({ maxSize: MAX_PAGE_CHARS, sizeCalculation: ({ chars }) => chars });
  const loading = new Map<string, Promise<OwnCatalog>>();
  const drawings = new LRUCache<string, string>({
    maxSize: MAX_DRAWING_CHARS,
    sizeCalculation: (svg) => svg.length + 100,
  });
  const reading = new Map<string, Promise<string>>();
  const shared = publicCatalog(catalog);

  async function readDrawing(id: AccountId, etag: string): Promise<string> {
    const svg = (await texts.get(id, [etag])).get(etag);
    if (svg === undefined) throw new OwnBrandsChangedError();
    drawings.set(etag, svg);
    return svg;
  }

  /** In one round trip; pages that are in memory already are not read again. */
  async function load(id: AccountId, pages: string): Promise<OwnCatalog> {
    const before = known.get(id);
    const ids = pageIds(pages);
    const missing = ids.filter((page) => before?.brandsByPage.has(page) !== true);
    const found = missing.length === 0 ? undefined : await texts.get(id, missing);
    let chars = 1000;
    const brandsByPage = new Map<string, readonly OwnBrand[]>();
    for (const page of ids) {
      const text = found?.get(page);
      const brands = text === undefined ? before?.brandsByPage.get(page) : (JSON.parse(text) as readonly OwnBrand[]);
      if (brands === undefined) throw new OwnBrandsChangedError();
      brandsByPage.set(page, brands);
      chars += 1000 * (brands.length + 1);
    }
    const read = (etag: string) =>
      drawings.get(etag) ?? onceAtATime(reading, `${id} ${etag}`, () => readDrawing(id, etag));
    const loaded = ownCatalog(shared, { pages, brandsByPage, chars }, read);
    known.set(id, loaded);
    return loaded;
  }

  async function at(id: AccountId, pages: string): Promise<AccountCatalog> {
    const now = known.get(id);
    if (pages === '') {
      known.delete(id);
      return shared;
    }
    return now?.pages === pages ? now : onceAtATime(loading, `${id} ${pages}`, () => load(id, pages));
  }

  return {
    /** Without own brands. */
    shared,

    /**
     * That of an account as this process knows it: an answer may rest on it only once the admission has named the same pages.
     */
    known: (id: AccountId): AccountCatalog => known.get(id) ?? shared,

    /** That of an account with these pages. Rejects with OwnBrandsChangedError when it has others by now. */
    at,

    /** The catalog of an account that was just read; undefined: the public one. */
    of: async (account: Pick<Account, 'id' | 'ownBrands'> | undefined): Promise<AccountCatalog> =>
      account ? at(account.id, account.ownBrands?.pages ?? '') : shared,
  };
}

function ownCatalog(
  shared: AccountCatalog,
  loaded: Pick<OwnCatalog, 'pages' | 'brandsByPage' | 'chars'>,
  read: ReadDrawing,
): OwnCatalog {
  const own = new OwnIndex([...loaded.brandsByPage.values()].flat());
  return {
    ...loaded,
    own,
    drawingsOf: (entry) => (entry.own === true ? read : shared.drawingsOf(entry)),
    async find(slug) {
      const lookup = own.lookup(slug);
      if (lookup) return lookup;
      const found = await shared.find(slug);
      const to = found.kind === 'entry' ? undefined : own.redirect(slug);
      return to === undefined ? found : { kind: 'moved', to };
    },
    peek(slug) {
      const lookup = own.lookup(slug) ?? shared.peek(slug);
      return lookup?.kind === 'entry' || own.redirect(slug) === undefined ? lookup : undefined;
    },
  };
}
