// The catalog for the operator: filtered lists of entries, and a search for one entry by its slug.
import type { Entry, Slug } from './entry.js';
import { tokenize } from '../platform/text/tokenize.js';
import { AppError } from '../platform/errors.js';
import type { CatalogSource, CatalogStore } from './catalog-store.js';
import { namesOf, noSuchEntry } from './nearest-slugs.js';

export interface ListingFilter {
  /** Id of an imported source, such as `iconify:mdi`. */
  readonly source?: string;
  /** Part of the slug, the title or an alias. Case, accents and punctuation are ignored. */
  readonly text?: string;
  /** True lists withdrawn entries, false lists served entries. */
  readonly withdrawn?: boolean;
}

export interface ListedEntry {
  readonly slug: Slug;
  /** `title` and `revision` are null if the entry is withdrawn and no source provides it anymore. */
  readonly title: string | null;
  readonly revision: string | null;
  readonly withdrawal: { readonly reason: string; readonly withdrawnAt: string } | null;
}

type Listed = Pick<ListedEntry, 'slug' | 'withdrawal'> & { readonly entry: Entry | null };

export function createCatalogListing(
  store: Pick<CatalogStore, 'state' | 'find' | 'entries' | 'sources' | 'withdrawals'>,
) {
  async function sourceOf(id: string): Promise<CatalogSource> {
    const sources = await store.sources();
    const found = sources.find((source) => source.id === id);
    if (found) return found;
    const ids = sources.map((source) => source.id).join(', ') || 'none';
    throw new AppError('not_found', `There is no source "${id}" in the catalog. Sources: ${ids}.`);
  }

  async function* entries(withdrawn: boolean): AsyncIterable<Listed> {
    if (withdrawn)
      for (const { slug, entry, reason, withdrawnAt } of await store.withdrawals())
        yield { slug, entry, withdrawal: { reason, withdrawnAt } };
    else for await (const entry of store.entries()) yield { slug: entry.slug, entry, withdrawal: null };
  }

  return {
    /** Yields the matching entries, sorted by slug. Rejects with AppError `not_found` for an unknown source. */
    async *list({ source: id, text = '', withdrawn = false }: ListingFilter): AsyncIterable<ListedEntry> {
      const source = id === undefined ? undefined : await sourceOf(id);
      const part = tokenize(text).normalized;
      for await (const { slug, entry, withdrawal } of entries(withdrawn)) {
        if (source && !(entry && isFrom(entry, source))) continue;
        const names = [...(entry ? namesOf(entry) : []), tokenize(slug).normalized];
        if (names.some((name) => name.includes(part)))
          yield { slug, title: entry?.title ?? null, revision: entry?.revision ?? null, withdrawal };
      }
    },

    async isImported(): Promise<boolean> {
      return (await store.state()) !== undefined;
    },

    /**
     * Finds an entry by its slug or by an alias. Rejects with AppError `gone` for a withdrawn entry. The message of
     * this error contains the reason and the day. Rejects with `not_found` and the nearest slugs for an unknown slug.
     */
    async find(slug: Slug): Promise<Entry> {
      const first = await store.find(slug);
      const found = first.kind === 'moved' ? await store.find(first.to) : first;
      if (found.kind === 'entry') return found.entry;
      if (found.kind !== 'withdrawn') throw await noSuchEntry(store, slug);
      const withdrawal = (await store.withdrawals()).find(
        (one) => one.slug === found.slug || one.entry?.slug === found.slug,
      );
      const day = withdrawal?.withdrawnAt.slice(0, 10);
      const when = day === undefined ? '' : ` on ${day}`;
      throw new AppError('gone', `${found.slug} was withdrawn${when}: ${found.reason}`);
    },
  };
}

/**
 * Returns true if the source provides the entry. Several sets can be in one package, so the slug must also begin with
 * the prefix of the set, as in `mdi-home` and `mdi.home`.
 */
function isFrom({ slug, provenance }: Entry, { package: name, prefix }: CatalogSource): boolean {
  if (!provenance.some((one) => one.package === name)) return false;
  return prefix === null || ['-', '.'].some((separator) => slug.startsWith(prefix.toLowerCase() + separator));
}
