// Index of an account's own brands by slug and alias, by host, and for search. Each part is built on first use.
import type { Entry, Slug } from '../catalog/entry.js';
import type { FoundEntry, OwnBrandPages, OwnEntries } from '../catalog/own-entries.js';

import { pageIds } from './brand-pages.js';
import type { OwnBrandTexts } from './own-brand-texts.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { assignRedirects } from '../catalog/assign-redirects.js';
import { finish, once, sorted, type RunSteps, type Steps } from '../platform/concurrency/time-slices.js';
import { collectDocuments } from '../search/documents.js';
import { createSearchIndex, type SearchIndex } from '../search/search-index.js';
import { entryOfBrand, type OwnBrand } from './own-brand.js';

/**
 * Brand → entry of the brand. Brands on unchanged pages stay the same objects after a change, so that their entries are
 * reused.
 */
const foundEntries = new WeakMap<OwnBrand, FoundEntry>();

function lookupOf(brand: OwnBrand): FoundEntry | undefined {
  const known = foundEntries.get(brand);
  const entry = known?.entry ?? entryOfBrand(brand);
  const found = known ?? (entry && ({ kind: 'entry', entry } as const));
  if (found) foundEntries.set(brand, found);
  return found;
}

/** A stored page: a record with several own brands. */
interface BrandPage {
  readonly brands: readonly OwnBrand[];
  /** Length of the page's JSON, UTF-16 units. */
  readonly chars: number;
}

export class OwnIndex implements OwnEntries {
  private readonly bySlug = new Map<Slug, OwnBrand>();
  private readonly lookups = new Map<Slug, FoundEntry>();
  private redirects: ReadonlyMap<Slug, Slug> | undefined;
  private readonly redirecting: () => Promise<ReadonlyMap<Slug, Slug>>;
  private readonly hosts: () => Promise<ReadonlyMap<string, Slug>>;
  readonly search: () => Promise<SearchIndex>;

  /** `pages`: id of a page → page. `run` builds the index in time slices. */
  constructor(
    readonly pages: ReadonlyMap<string, BrandPage>,
    readonly run: RunSteps,
  ) {
    for (const { brands } of pages.values())
      for (const brand of brands) {
        this.bySlug.set(brand.slug, brand);
        const lookup = lookupOf(brand);
        if (lookup) this.lookups.set(brand.slug, lookup);
      }
    this.redirecting = once(run, () => this.readRedirects());
    this.hosts = once(run, () => hostsOf(this.entries()));
    this.search = once(run, () => searchIndexOf(this.entries()));
  }

  get isEmpty(): boolean {
    return this.pages.size === 0;
  }

  /** Returns a brand, even if it has no drawing. */
  brand(slug: Slug): OwnBrand | undefined {
    return this.bySlug.get(slug);
  }

  /** Returns all brands, sorted by slug. */
  brands(): readonly OwnBrand[] {
    return [...this.bySlug.values()].sort(bySlug);
  }

  lookup(slug: Slug): FoundEntry | undefined {
    return this.lookups.get(slug);
  }

  entries(): readonly Entry[] {
    return [...this.lookups.values()].map(({ entry }) => entry);
  }

  get chars(): number {
    return [...this.pages.values()].reduce((sum, { chars }) => sum + chars, 0);
  }

  slugs(): readonly Slug[] {
    return [...this.lookups.keys()];
  }

  async redirect(alias: Slug): Promise<Slug | undefined> {
    return (await this.redirecting()).get(alias);
  }

  leadsNowhere(alias: Slug): boolean {
    return this.redirects?.has(alias) === false;
  }

  /**
   * Returns the brand that owns a host. Checks the exact host first, then its parent domains. `host` must be the result
   * of `parseAnyHost`.
   */
  async owner(host: string): ReturnType<OwnEntries['owner']> {
    return ownerIn(await this.hosts(), host);
  }

  private *readRedirects(): Steps<ReadonlyMap<Slug, Slug>> {
    const names = this.entries().map(({ slug, title, aliases }) => ({
      ...{ slug, stated: aliases, keys: [], names: [title] },
    }));
    this.redirects = yield* assignRedirects(names, (slug) => this.lookups.has(slug as Slug));
    return this.redirects;
  }
}

const NO_OWN_BRANDS = new OwnIndex(new Map(), (steps) => Promise.resolve(finish(steps)));

/** Creates the reader with which the catalog reads own brands. */
export function createOwnBrandPages(texts: Pick<OwnBrandTexts, 'get'>): OwnBrandPages {
  return {
    texts: (id, ids) => texts.get(id, ids),
    async read(id, list, { before, run }) {
      const ids = pageIds(list);
      const known = before instanceof OwnIndex ? before.pages : undefined;
      const missing = ids.filter((page) => known?.has(page) !== true);
      const found = missing.length === 0 ? new Map<string, string>() : await texts.get(id, missing);
      const read = await run(readPages(ids, found, known));
      return read && new OwnIndex(read, run);
    },
  };
}

/** Returns the own brands of this catalog. */
export function ownIndexIn({ own }: AccountCatalog): OwnIndex {
  return own instanceof OwnIndex ? own : NO_OWN_BRANDS;
}

/**
 * Parses the pages with these ids. `texts`: id → JSON of the pages that `known` lacks. Returns undefined if a page is
 * missing from both. Yields after each parsed page.
 */
function* readPages(
  ids: readonly string[],
  texts: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, BrandPage> = new Map(),
): Steps<ReadonlyMap<string, BrandPage> | undefined> {
  const pages = new Map<string, BrandPage>();
  for (const id of ids) {
    const text = texts.get(id);
    const page = text === undefined ? known.get(id) : readPage(text);
    if (page === undefined) return undefined;
    pages.set(id, page);
    if (text !== undefined) yield;
  }
  return pages;
}

function readPage(text: string): BrandPage {
  const brands = JSON.parse(text) as readonly OwnBrand[];
  // Builds the entries of all brands now, because this function runs in time slices. Building entries is the slowest
  // step. `lookupOf` caches the entries.
  for (const brand of brands) lookupOf(brand);
  return { brands, chars: text.length };
}

function bySlug(one: { readonly slug: string }, other: { readonly slug: string }): number {
  return one.slug < other.slug ? -1 : 1;
}

function ownerIn(hosts: ReadonlyMap<string, Slug>, host: string): Awaited<ReturnType<OwnEntries['owner']>> {
  for (let at = host; at !== ''; at = isName(host) && at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') {
    const slug = hosts.get(at);
    if (slug !== undefined) return { slug, match: at === host ? 'domain' : 'subdomain' };
  }
  return undefined;
}

function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host);
}

/** Number of entries between two yields. */
const STEP_ENTRIES = 50;

/**
 * Returns a table: host → slug of its owner. If several brands have a host, the owner is the brand whose slug is first
 * in the alphabet.
 */
function* hostsOf(entries: readonly Entry[]): Steps<ReadonlyMap<string, Slug>> {
  const hosts = new Map<string, Slug>();
  for (const [at, { slug, domains }] of (yield* sorted(entries, bySlug)).entries()) {
    for (const domain of domains) if (!hosts.has(domain)) hosts.set(domain, slug);
    if (at % STEP_ENTRIES === 0) yield;
  }
  return hosts;
}

function* searchIndexOf(entries: readonly Entry[]): Steps<SearchIndex> {
  const hosts = yield* hostsOf(entries);
  const documents = collectDocuments([]);
  for (const [at, entry] of entries.entries()) {
    documents.add(entry);
    if (at % STEP_ENTRIES === 0) yield;
  }
  return createSearchIndex(yield* documents.finish(), 0, ({ any }) => ownerIn(hosts, any));
}
