// Index of an account's own brands: by slug and alias, by host, and for search; what is not asked for is not built.
import type { Entry, Lookup, Slug } from '../catalog/entry.js';
import { finish } from '../concurrency/steps.js';
import { assignRedirects } from '../catalog/assign-redirects.js';
import { collectDocuments } from '../search/documents.js';
import { createSearchIndex, type SearchIndex } from '../search/search-index.js';
import { entryOfBrand, type OwnBrand } from './own-brand.js';

export interface HostOwner {
  readonly slug: Slug;
  /** `domain`: the very host is the brand's; `subdomain`: one above it is. */
  readonly match: 'domain' | 'subdomain';
}

type FoundEntry = Lookup & { readonly kind: 'entry' };

/** By brand: those on pages that a change leaves as they are are the same objects before and after. */
const foundEntries = new WeakMap<OwnBrand, FoundEntry>();

function lookupOf(brand: OwnBrand): FoundEntry | undefined {
  const known = foundEntries.get(brand);
  const entry = known?.entry ?? entryOfBrand(brand);
  const found = known ?? (entry && ({ kind: 'entry', entry } as const));
  if (found) foundEntries.set(brand, found);
  return found;
}

export class OwnIndex {
  private readonly bySlug = new Map<Slug, OwnBrand>();
  private readonly lookups = new Map<Slug, FoundEntry>();
  private aliases: ReadonlyMap<Slug, Slug> | undefined;
  private hosts: ReadonlyMap<string, Slug> | undefined;
  private searched: SearchIndex | undefined;

  constructor(brands: Iterable<OwnBrand>) {
    for (const brand of brands) {
      this.bySlug.set(brand.slug, brand);
      const lookup = lookupOf(brand);
      if (lookup) this.lookups.set(brand.slug, lookup);
    }
  }

  /** Also one without a drawing. */
  brand(slug: Slug): OwnBrand | undefined {
    return this.bySlug.get(slug);
  }

  /** By slug. */
  brands(): readonly OwnBrand[] {
    return [...this.bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** The same object for the same state of a brand. */
  lookup(slug: Slug): FoundEntry | undefined {
    return this.lookups.get(slug);
  }

  entries(): readonly Entry[] {
    return [...this.lookups.values()].map(({ entry }) => entry);
  }

  /** Slugs of `entries`. */
  slugs(): readonly Slug[] {
    return [...this.lookups.keys()];
  }

  /** The brand that this alias leads to. */
  redirect(alias: Slug): Slug | undefined {
    this.aliases ??= assignRedirects(
      this.entries().map(({ slug, title, aliases }) => ({ slug, stated: aliases, keys: [], names: [title] })),
      (slug) => this.lookups.has(slug as Slug),
    );
    return this.aliases.get(alias);
  }

  /** The exact host first, then those above it. `host` as `parseAnyHost` spells it. */
  owner(host: string): HostOwner | undefined {
    this.hosts ??= hostsOf(this.entries());
    for (let at = host; at !== ''; at = isName(host) && at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') {
      const slug = this.hosts.get(at);
      if (slug !== undefined) return { slug, match: at === host ? 'domain' : 'subdomain' };
    }
    return undefined;
  }

  search(): SearchIndex {
    this.searched ??= searchIndexOf(this.entries());
    return this.searched;
  }
}

/** False for an IP address. */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host);
}

/** Of two with the same host, that with the lower slug. */
function hostsOf(entries: readonly Entry[]): ReadonlyMap<string, Slug> {
  const hosts = new Map<string, Slug>();
  for (const { slug, domains } of [...entries].sort((a, b) => (a.slug < b.slug ? -1 : 1)))
    for (const domain of domains) if (!hosts.has(domain)) hosts.set(domain, slug);
  return hosts;
}

function searchIndexOf(entries: readonly Entry[]): SearchIndex {
  const documents = collectDocuments([]);
  for (const entry of entries) documents.add(entry);
  return createSearchIndex(finish(documents.finish()), 0);
}
