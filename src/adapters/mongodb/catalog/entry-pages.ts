// Entries of one generation by slug, a page at a time.
import { orUnavailable } from '../driver-error.js';
import type { CatalogCollections, SlugDocument } from './collections.js';
import { readPages } from './pages.js';

export interface EntryRow {
  readonly _id: SlugDocument['_id'];
  /** JSON */
  readonly body: string;
}

/** Withdrawn ones included. */
export function entryPages(
  { slugs }: Pick<CatalogCollections, 'slugs'>,
  generation: number,
  pageRows: number,
): AsyncGenerator<readonly EntryRow[]> {
  const slug = '';
  const $lt = { generation: generation + 1, slug };
  const read = (after: SlugDocument['_id'] | undefined) => {
    const _id = after === undefined ? { $gte: { generation, slug }, $lt } : { $gt: after, $lt };
    return orUnavailable(() =>
      slugs
        .find({ _id, body: { $exists: true } })
        .project<EntryRow>({ body: 1 })
        .sort({ _id: 1 })
        .limit(pageRows)
        .toArray(),
    );
  };
  return readPages({ read, pageRows });
}
