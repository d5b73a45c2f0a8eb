// Finds possible errors in a merged catalog: two brands in one entry, or one brand in two entries.
import type { ChosenEntry, UndatedEntry } from './build-entry.js';
import { addTo } from '../../platform/concurrency/lists-by-key.js';
import { colorDistance, isAchromatic } from '../drawing.js';
import { hasSameOutline, isSamePicture } from './shape-similarity.js';
import type { DrawingOffer } from './score-offers.js';

/** A warning for the operator. Most warnings are harmless. */
export interface ConsistencyWarning {
  readonly kind: 'far-color' | 'unlike-drawings' | 'same-drawing';
  readonly slugs: readonly string[];
  readonly message: string;
}

/** Distance above which two colors are unrelated. The maximum distance of two colors is 441. */
const FAR = 160;

/** Returns the warnings, grouped by their kind. */
export function doubtsAbout(entries: readonly ChosenEntry[]): readonly ConsistencyWarning[] {
  return [
    ...entries.filter(hasFarColor).map(({ entry }) => farColor(entry)),
    ...entries.flatMap(unlikeDrawings),
    ...sameDrawings(entries),
  ];
}

function hasFarColor({ entry: { hex, variants } }: ChosenEntry): boolean {
  const colors = variants.filter(({ derived }) => derived !== true).flatMap((variant) => variant.colors);
  const chromatic = colors.filter((color) => !isAchromatic(color));
  if (hex === null || isAchromatic(hex) || chromatic.length === 0) return false;
  return chromatic.every((color) => colorDistance(color, hex) > FAR);
}

function farColor({ slug, hex }: UndatedEntry): ConsistencyWarning {
  return { kind: 'far-color', slugs: [slug], message: `the brand color ${hex ?? ''} differs from all drawings` };
}

/**
 * Warns about compact drawings of one entry that differ in shape and color. One of them may belong to another brand
 * with the same name, or may be an old logo.
 */
function unlikeDrawings({ entry, choice: { scored, best } }: ChosenEntry): ConsistencyWarning[] {
  const others = scored.map(({ offer }) => offer).filter((offer) => offer.rank !== best.rank && isCompact(offer));
  const unlike = others.find((offer) => !hasSameOutline(offer.variant, best.variant) && !sharesColor(offer, best));
  if (unlike === undefined || !isCompact(best)) return [];
  return [
    {
      kind: 'unlike-drawings',
      slugs: [entry.slug],
      message: `${unlike.ref} does not resemble the default ${best.ref}`,
    },
  ];
}

function isCompact({ variant }: DrawingOffer): boolean {
  return variant.look !== undefined && Math.max(variant.width / variant.height, variant.height / variant.width) < 1.5;
}

function sharesColor({ variant: one }: DrawingOffer, { variant: other }: DrawingOffer): boolean {
  const [left, right] = [one.colors, other.colors].map((colors) => colors.filter((hex) => !isAchromatic(hex)));
  if (left === undefined || right === undefined || left.length === 0 || right.length === 0) return true;
  return left.some((hex) => right.some((with_) => colorDistance(hex, with_) < FAR / 2));
}

function sameDrawings(entries: readonly ChosenEntry[]): ConsistencyWarning[] {
  const buckets = new Map<string, ChosenEntry[]>();
  for (const one of entries) addTo(buckets, bucketOf(one.choice.best), one);
  const doubts: ConsistencyWarning[] = [];
  for (const bucket of buckets.values()) {
    const left = new Set(bucket);
    for (const one of bucket) {
      if (!left.delete(one)) continue;
      const twins = [...left].filter(({ choice }) => isSamePicture(choice.best.variant, one.choice.best.variant));
      if (twins.length === 0) continue;
      for (const twin of twins) left.delete(twin);
      const slugs = [one, ...twins].map(({ entry }) => entry.slug);
      doubts.push({ kind: 'same-drawing', slugs, message: `${slugs.join(', ')} have the same drawing` });
    }
  }
  return doubts.sort((a, b) => ((a.slugs[0] ?? '') < (b.slugs[0] ?? '') ? -1 : 1));
}

/**
 * Returns the bucket of a drawing. Only drawings in the same bucket are compared. Drawings that look the same are in
 * the same bucket, with rare exceptions at the border of two buckets.
 */
function bucketOf({ variant }: DrawingOffer): string {
  const { look, recolorable, colors, etag } = variant;
  if (look === undefined) return etag;
  const bytes = Buffer.from(look.print, 'base64');
  let sum = 0;
  for (const byte of bytes) sum += (byte >> 4) + (byte & 15);
  return `${recolorable} ${recolorable ? (colors[0] ?? '') : ''} ${look.plate ?? ''} ${Math.round(sum / bytes.length / 2)}`;
}
