// Edits of own brands, as pure functions.
import { AppError } from '../platform/errors.js';
import type { AuditFact } from '../accounts/audit-event.js';
import type { Slug } from '../catalog/entry.js';
import {
  MAX_UPLOADS,
  NO_FACTS,
  ownVariants,
  type OwnBrand,
  type OwnBrandFacts,
  type OwnUpload,
  type UploadedVariants,
} from './own-brand.js';

/** Number of the change among all changes of the account, and its time. */
export interface EditTime {
  readonly version: number;
  /** RFC 3339 UTC. */
  readonly at: string;
}

/** Returns the brand with these facts. Returns the object `before` if the facts are equal. */
export function withFacts(
  before: OwnBrand | undefined,
  { slug, facts }: { readonly slug: Slug; readonly facts: OwnBrandFacts },
  { version, at }: EditTime,
): OwnBrand {
  const { title, ...others } = facts;
  // All brands have the same order of fields, so that equal facts have equal JSON.
  const next = { ...NO_FACTS, ...others, title };
  const unchanged = { ...before, ...next };
  if (before && JSON.stringify(unchanged) === JSON.stringify(before)) return before;
  const rest = before ?? { slug, uploads: {}, variants: [], createdAt: at };
  return { ...rest, ...next, updatedAt: at, version };
}

/**
 * Returns the brand with an added or replaced drawing. `uploads`: variants of all its drawings, including the new one.
 * Throws AppError `conflict` if `name` is not `default` and the brand has no drawing `default` yet, or if the brand
 * would have too many drawings.
 */
export function withUpload(
  before: OwnBrand,
  { name, upload, uploads }: { readonly name: string; readonly upload: OwnUpload; readonly uploads: UploadsByName },
  { version, at }: EditTime,
): OwnBrand {
  if (name !== 'default' && before.uploads.default === undefined)
    throw new AppError('conflict', 'Upload the drawing "default" first, then other variants.');
  if (!hasRoomFor(name, before.uploads))
    throw new AppError('conflict', `A brand can have at most ${MAX_UPLOADS} drawings. Delete or replace one.`);
  const all = { ...before.uploads, [name]: upload };
  return { ...before, uploads: all, variants: ownVariants(uploads, before.hex), updatedAt: at, version };
}

export function uploadOf({ uploads }: OwnBrand, name: string): OwnUpload | undefined {
  return Object.hasOwn(uploads, name) ? uploads[name] : undefined;
}

/**
 * Returns true if a drawing with this name may be uploaded. The keys of `uploads` are the names of the brand's
 * drawings.
 */
export function hasRoomFor(name: string, uploads: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(uploads, name) || Object.keys(uploads).length < MAX_UPLOADS;
}

export type UploadsByName = ReadonlyMap<string, UploadedVariants>;

/** Returns the brand without the drawing `name`. Throws AppError `conflict` if `name` is `default`. */
export function withoutUpload(
  before: OwnBrand,
  { name, uploads }: { readonly name: string; readonly uploads: UploadsByName },
  { version, at }: EditTime,
): OwnBrand {
  if (name === 'default')
    throw new AppError(
      'conflict',
      'The drawing "default" cannot be deleted. Delete the brand instead: DELETE /v1/brands/{slug}.',
    );
  const rest = Object.fromEntries(Object.entries(before.uploads).filter(([one]) => one !== name));
  return { ...before, uploads: rest, variants: ownVariants(uploads, before.hex), updatedAt: at, version };
}

/** Returns the ids of stored texts to which `before` refers and `after` does not. */
export function droppedTexts(before: OwnBrand | undefined, after: OwnBrand | undefined): readonly string[] {
  const kept = new Set(textIdsOf(after));
  return textIdsOf(before).filter((id) => !kept.has(id));
}

/**
 * Returns the ids of all stored texts to which a brand refers. The id of the page (the record that stores the brand
 * itself) is not included.
 */
export function textIdsOf(brand: OwnBrand | undefined): readonly string[] {
  return Object.values(brand?.uploads ?? {}).flatMap(({ id, texts }) => [id, ...texts]);
}

export function editFact(
  slug: Slug,
  change: 'created' | 'changed' | 'removed' | 'drawing put' | 'drawing removed',
  variant?: string,
): AuditFact {
  return { type: 'user_updated', detail: { ownBrand: slug, change, ...(variant !== undefined && { variant }) } };
}
