// Index of an account's own brands: by slug and alias, by host, and for search. Each part is built on first use.
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

/** Entries by brand. Brands on unchanged pages are the same objects before and after a change. */
const foundEntries = new WeakMap<OwnBrand, FoundEntry>();

function lookupOf(brand: OwnBrand): FoundEntry | undefined {
  const known = foundEntries.get(brand);
  const entry = known?.entry ?? entryOfBrand(brand);
  const found = known ?? (entry && ({ kind: 'entry', entry } as const));
  if (found) foundEntries.set(brand, found);
  return found;
}

/** A stored page of brands. */
interface BrandPage {
  readonly brands: readonly OwnBrand[];
  /** Length of its JSON, UTF-16 units. */
  readonly chars: number;
}

export class OwnIndex implements OwnEntries {
  private readonly bySlug = new Map<Slug, OwnBrand>();
  private readonly lookups = new Map<Slug, FoundEntry>();
  private redirects: ReadonlyMap<Slug, Slug> | undefined;
  private readonly redirecting: () => Promise<ReadonlyMap<Slug, Slug>>;
  private readonly hosts: () => Promise<ReadonlyMap<string, Slug>>;
  /** Returns the search index of `entries`. */
  readonly search: () => Promise<SearchIndex>;

  /** `pages` are by id. `run` builds each part once. */
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

  /** Returns a brand, even one without a drawing. */
  brand(slug: Slug): OwnBrand | undefined {
    return this.bySlug.get(slug);
  }

  /** Returns all brands, by slug. */
  brands(): readonly OwnBrand[] {
    return [...this.bySlug.values()].sort(bySlug);
  }

  /** Returns the same object for the same state of a brand. */
  lookup(slug: Slug): FoundEntry | undefined {
    return this.lookups.get(slug);
  }

  entries(): readonly Entry[] {
    return [...this.lookups.values()].map(({ entry }) => entry);
  }

  /** Length of all pages. It limits the caches of everything built from them. */
  get chars(): number {
    return [...this.pages.values()].reduce((sum, { chars }) => sum + chars, 0);
  }

  /** Slugs of `entries`. */
  slugs(): readonly Slug[] {
    return [...this.lookups.keys()];
  }

  /** Returns the slug of the brand to which this alias redirects. */
  async redirect(alias: Slug): Promise<Slug | undefined> {
    return (await this.redirecting()).get(alias);
  }

  /** Returns true if the alias is known to redirect to no own brand. Returns false before the first `redirect`. */
  leadsNowhere(alias: Slug): boolean {
    return this.redirects?.has(alias) === false;
  }

  /**
   * Returns the owner of a host. Checks the exact host first, then the hosts above it. `host` is spelled as by `parseAnyHost`.
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

/** Index of an account without own brands. */
const NO_OWN_BRANDS = new OwnIndex(new Map(), (steps) => Promise.resolve(finish(steps)));

/** Reads own brands for the catalog from their texts. */
export function createOwnBrandPages(texts: Pick<OwnBrandTexts, 'get'>): OwnBrandPages {
  return {
    texts: (id, ids) => texts.get(id, ids),
    async read(id, pages, { before, run }) {
      const ids = pageIds(pages);
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
 * Reads the pages. Yields after each parsed page. `texts` has the pages that `known` lacks. Undefined when a page is in neither.
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
  // Computed here, because it is the longest part of an index. The result is kept with the brand.
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

/** Returns false for an IP address. */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host);
}

/** Entries between two yields. */
const STEP_ENTRIES = 50;

/** Returns the slug for each host. If two brands have the same host, the lower slug wins. */
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
