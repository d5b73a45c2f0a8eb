// Consistency of a merged catalog: what looks like two brands in one entry, or one brand in two.
import type { UndatedEntry } from './build-entry.js';
import type { Choice } from './choose-variants.js';
import { channelsOf, isAchromatic } from './drawing.js';
import { hasSameOutline, isSamePicture } from './likeness.js';
import type { Mark } from './score-marks.js';

/** Something for the operator to look at; most often it is all right. */
export interface Doubt {
  readonly kind: 'far-color' | 'unlike-drawings' | 'same-drawing';
  readonly slugs: readonly string[];
  readonly message: string;
}

export interface ChosenEntry {
  readonly entry: UndatedEntry;
  readonly choice: Choice;
}

/** Of 441: a color beyond this has nothing in common with the other. */
const FAR = 160;

/** By kind, then by slug. */
export function doubtsAbout(entries: readonly ChosenEntry[]): readonly Doubt[] {
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
  return chromatic.every((color) => distance(color, hex) > FAR);
}

function farColor({ slug, hex }: UndatedEntry): Doubt {
  return { kind: 'far-color', slugs: [slug], message: `its color ${hex ?? ''} is far from every drawing` };
}

function distance(one: string, other: string): number {
  const channels = channelsOf(other);
  return Math.hypot(...channelsOf(one).map((channel, at) => channel - (channels[at] ?? 0)));
}

/** Glyphs of one brand in another shape and color: two brands that share a name, or an old logo. */
function unlikeDrawings({ entry, choice: { scored, best } }: ChosenEntry): Doubt[] {
  const others = scored.map(({ mark }) => mark).filter((mark) => mark.rank !== best.rank && isCompact(mark));
  const unlike = others.find((mark) => !hasSameOutline(mark.variant, best.variant) && !sharesColor(mark, best));
  if (unlike === undefined || !isCompact(best)) return [];
  return [{ kind: 'unlike-drawings', slugs: [entry.slug], message: `${unlike.ref} is unlike its default ${best.ref}` }];
}

function isCompact({ variant }: Mark): boolean {
  return variant.look !== undefined && Math.max(variant.width / variant.height, variant.height / variant.width) < 1.5;
}

function sharesColor({ variant: one }: Mark, { variant: other }: Mark): boolean {
  const [left, right] = [one.colors, other.colors].map((colors) => colors.filter((hex) => !isAchromatic(hex)));
  if (left === undefined || right === undefined || left.length === 0 || right.length === 0) return true;
  return left.some((hex) => right.some((with_) => distance(hex, with_) < FAR / 2));
}

/** Entries whose defaults look the same. */
function sameDrawings(entries: readonly ChosenEntry[]): Doubt[] {
  const buckets = new Map<string, ChosenEntry[]>();
  for (const one of entries) {
    const key = bucketOf(one.choice.best);
    const bucket = buckets.get(key);
    if (bucket) bucket.push(one);
    else buckets.set(key, [one]);
  }
  const doubts: Doubt[] = [];
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

/** Equal for equal pictures, save a few that lie on the border of a bucket. */
function bucketOf({ variant }: Mark): string {
  const { look, recolorable, colors, etag } = variant;
  if (look === undefined) return etag;
  const bytes = Buffer.from(look.print, 'base64');
  let sum = 0;
  for (const byte of bytes) sum += (byte >> 4) + (byte & 15);
  return `${recolorable} ${recolorable ? (colors[0] ?? '') : ''} ${look.plate ?? ''} ${Math.round(sum / bytes.length / 2)}`;
}
