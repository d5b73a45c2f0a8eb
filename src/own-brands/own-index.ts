// Index of an account's own brands: by slug and alias, by host, and for search; what is not asked for is not built.
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

/** By brand: those on pages that a change leaves as they are are the same objects before and after. */
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
  /** Of `entries`. */
  readonly search: () => Promise<SearchIndex>;

  /** `pages`: by id. `run`: what is built with it is built once. */
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

  /** Also one without a drawing. */
  brand(slug: Slug): OwnBrand | undefined {
    return this.bySlug.get(slug);
  }

  /** By slug. */
  brands(): readonly OwnBrand[] {
    return [...this.bySlug.values()].sort(bySlug);
  }

  /** The same object for the same state of a brand. */
  lookup(slug: Slug): FoundEntry | undefined {
    return this.lookups.get(slug);
  }

  entries(): readonly Entry[] {
    return [...this.lookups.values()].map(({ entry }) => entry);
  }

  /** Of all pages, by which caches of what is built of them are bounded. */
  get chars(): number {
    return [...this.pages.values()].reduce((sum, { chars }) => sum + chars, 0);
  }

  /** Slugs of `entries`. */
  slugs(): readonly Slug[] {
    return [...this.lookups.keys()];
  }

  /** The brand that this alias leads to. */
  async redirect(alias: Slug): Promise<Slug | undefined> {
    return (await this.redirecting()).get(alias);
  }

  /** False also before the first `redirect`. */
  leadsNowhere(alias: Slug): boolean {
    return this.redirects?.has(alias) === false;
  }

  /** The exact host first, then those above it. `host` as `parseAnyHost` spells it. */
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

/** Of an account without own brands. */
const NO_OWN_BRANDS = new OwnIndex(new Map(), (steps) => Promise.resolve(finish(steps)));

/** Own brands for the catalog, read from their texts. */
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

/** The own brands of this catalog. */
export function ownIndexIn({ own }: AccountCatalog): OwnIndex {
  return own instanceof OwnIndex ? own : NO_OWN_BRANDS;
}

/** Yields after each page that is read. `texts`: those that `known` lacks. Undefined: a page is nowhere. */
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
  // The longest part of an index, and kept with the brand.
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

/** False for an IP address. */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host);
}

/** Entries between two yields. */
const STEP_ENTRIES = 50;

/** The one with the lower slug, where two have the same host. */
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
