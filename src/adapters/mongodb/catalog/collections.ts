// Collections of the catalog: their documents, and how they are read and written.
import type { Collection, CollectionOptions, Db } from 'mongodb';
import type { Slug } from '../../../domain/catalog/entry.js';
import { AppError } from '../../../errors.js';
import type { StateDocument } from './state.js';

/** An entry or a redirect: a slug is one of both, so that looking it up is one read. */
export interface SlugDocument {
  readonly _id: { readonly generation: number; readonly slug: string };
  /** The entry as JSON; absent in a redirect. */
  readonly body?: string;
  /** Of a redirect. */
  readonly target?: Slug;
}

export interface SourceDocument {
  readonly _id: { readonly generation: number; readonly id: string };
  /** The generation for which it was last imported: its candidates are kept under that number. */
  readonly given: number;
  /** JSON */
  readonly body: string;
}

export interface CandidateDocument {
  readonly _id: { readonly given: number; readonly source: string; readonly key: string };
  /** Of its drawings. */
  readonly etags: readonly string[];
  /** JSON */
  readonly body: string;
}

export interface DrawingDocument {
  /** Its etag. */
  readonly _id: string;
  readonly svg: string;
  /** Of the last import that put it: the sweep of an earlier one leaves it. */
  readonly generation: number;
}

export interface CatalogCollections {
  readonly states: Collection<StateDocument>;
  readonly slugs: Collection<SlugDocument>;
  readonly sources: Collection<SourceDocument>;
  readonly candidates: Collection<CandidateDocument>;
  readonly drawings: Collection<DrawingDocument>;
}

/** How long a write waits for the majority. */
const WRITE_TIMEOUT_MS = 10_000;

/**
 * A majority for every write, batches included: a publication must not outlive documents of its own that a new primary
 * never got.
 */
const DURABLE: CollectionOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: WRITE_TIMEOUT_MS },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

export function catalogCollections(db: Db): CatalogCollections {
  return {
    states: db.collection<StateDocument>('catalog_state', DURABLE),
    slugs: db.collection<SlugDocument>('catalog_slugs', DURABLE),
    sources: db.collection<SourceDocument>('catalog_sources', DURABLE),
    candidates: db.collection<CandidateDocument>('catalog_candidates', DURABLE),
    drawings: db.collection<DrawingDocument>('catalog_assets', DURABLE),
  };
}

/** MongoDB's limit is 16 MiB; what a document has beside its text fits into the rest. */
const MAX_TEXT_BYTES = 16_000_000;
/** A UTF-16 unit has at most three bytes in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Throws AppError `payload_too_large` when the text is larger than a document may be. */
export function assertFits(text: string, what: string): void {
  if (text.length * MAX_UNIT_BYTES <= MAX_TEXT_BYTES) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES)
    throw new AppError('payload_too_large', `${what} has ${bytes} bytes; MongoDB keeps at most ${MAX_TEXT_BYTES}.`);
}
