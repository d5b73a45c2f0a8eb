// License notice of the served catalog. It is written on the first request, and again when the catalog has changed.
import { catalogNotice, type NoticedEntry, type NoticedSource } from './license-notice.js';
import type { CatalogSource, CatalogState, CatalogStore } from './catalog-store.js';

interface Options {
  readonly store: Pick<CatalogStore, 'sources' | 'entries'>;
  readonly state: () => CatalogState | undefined;
  /** SPDX identifier → text of the license. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns a function that resolves with the notice. Concurrent calls share one promise. */
export function createNotice({ store, state, texts }: Options): () => Promise<string> {
  let made: { readonly generation: number | undefined; readonly text: Promise<string> } | undefined;
  return () => {
    const generation = state()?.generation;
    if (made === undefined || made.generation !== generation) {
      const text = noticeOf(store, texts);
      made = { generation, text };
      text.catch(() => (made = undefined));
    }
    return made.text;
  };
}

export async function noticeOf(store: Options['store'], texts: Options['texts']): Promise<string> {
  const sources = (await store.sources()).map(noticedSource);
  const entries: NoticedEntry[] = [];
  for await (const { slug, title, license, source } of store.entries()) entries.push({ slug, title, license, source });
  return catalogNotice(sources, entries, texts);
}

/** Uses the author and license in the facts of the Iconify set, if the source is an Iconify set. */
function noticedSource({ package: name, version, notice, iconSet }: CatalogSource): NoticedSource {
  const { author, license } = (iconSet?.info ?? {}) as {
    readonly author?: { readonly name?: string; readonly url?: string };
    readonly license?: { readonly spdx?: string };
  };
  const described = [author?.name, author?.url && `(${author.url})`].filter(Boolean).join(' ');
  return {
    ...{ package: name, version },
    author: described === '' ? (notice?.author ?? null) : described,
    license: license?.spdx ?? notice?.license ?? null,
    text: notice?.text ?? null,
  };
}
