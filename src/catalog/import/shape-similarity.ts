// Compares the fingerprints of drawings: the same picture, or the same shape in other colors.
import type { CandidateVariant, Look } from './candidate.js';

/**
 * Maximum mean difference between the fingerprints of two drawings that look the same, over all cells and channels,
 * 0..1.
 */
const SAME_PICTURE = 0.012;
/**
 * Maximum mean difference of alpha between the fingerprints of two drawings with the same outline, over all cells,
 * 0..1.
 */
const SAME_OUTLINE = 0.07;
/**
 * Maximum mean difference of alpha between the fingerprints of a drawing and of its version for another background,
 * 0..1. The limit is high, because in some cases, only one of the two drawings has a disc behind it.
 */
const LIKE_OUTLINE = 0.25;
/** Maximum ratio between the aspect ratios of a drawing and of its version for another background. */
const LIKE_ASPECT = 1.3;
/** Maximum ratio between the aspect ratios of two drawings of the same shape. */
const SAME_ASPECT = 1.12;

type Drawn = Pick<CandidateVariant, 'look' | 'ink' | 'width' | 'height' | 'recolorable' | 'colors'>;

/** Returns true if two drawings look the same, apart from margins. Returns false if a drawing was not measured. */
export function isSamePicture(one: Drawn, other: Drawn): boolean {
  if (!hasLikeAspect(one, other) || one.recolorable !== other.recolorable) return false;
  if (one.recolorable && one.colors[0] !== other.colors[0]) return false;
  return meanDifference(printOf(one).cells, printOf(other).cells) <= SAME_PICTURE;
}

/** Returns true if two drawings have the same outline, so that they show the same symbol. */
export function hasSameOutline(one: Drawn, other: Drawn): boolean {
  return hasLikeAspect(one, other) && meanDifference(printOf(one).alpha, printOf(other).alpha) <= SAME_OUTLINE;
}

/** Returns true if one drawing may replace the other one on another background. A wordmark never replaces a symbol. */
export function hasLikeShape(one: Drawn, other: Drawn): boolean {
  const ratio = inkAspect(one) / inkAspect(other);
  if (Math.max(ratio, 1 / ratio) > LIKE_ASPECT) return false;
  if (one.look === undefined || other.look === undefined) return true;
  return meanDifference(printOf(one).alpha, printOf(other).alpha) <= LIKE_OUTLINE;
}

/** Returns the ratio of width to height of the visible parts. */
export function inkAspect({ ink, width, height }: Pick<CandidateVariant, 'ink' | 'width' | 'height'>): number {
  const [, , across, down] = ink ?? [0, 0, width, height];
  return across / down;
}

/** Returns the share of the bounding box that visible parts cover, 0..1, with two decimals. */
export function inkShareOf(look: Look): number {
  const { alpha } = printOf({ look });
  const sum = alpha.reduce((total, value) => total + value, 0);
  return Math.round((sum / Math.max(1, alpha.length) / 15) * 100) / 100;
}

function hasLikeAspect(one: Drawn, other: Drawn): boolean {
  const ratio = inkAspect(one) / inkAspect(other);
  return Math.max(ratio, 1 / ratio) <= SAME_ASPECT;
}

/** Returns the mean difference of two lists of four-bit values, 0..1. Returns 1 if a drawing was not measured. */
function meanDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length || one.length === 0) return 1;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length / 15;
}

const CELLS = 144;
const known = new WeakMap<object, { readonly cells: Uint8Array; readonly alpha: Uint8Array }>();

/**
 * Unpacks the four-bit values of `look.print`: one value per cell for a one-color drawing, otherwise four. Returns the
 * alpha of each cell separately as well.
 */
function printOf({ look }: Pick<Drawn, 'look'>): { readonly cells: Uint8Array; readonly alpha: Uint8Array } {
  const before = look && known.get(look);
  if (before !== undefined) return before;
  const bytes = Buffer.from(look?.print ?? '', 'base64');
  // Fills one array without intermediate copies, because a merge unpacks ten thousand fingerprints.
  const cells = new Uint8Array(2 * bytes.length);
  bytes.forEach((byte, at) => {
    cells[2 * at] = byte >> 4;
    cells[2 * at + 1] = byte & 15;
  });
  const alpha = cells.length <= CELLS ? cells : cells.filter((_, at) => at % 4 === 3);
  if (look) known.set(look, { cells, alpha });
  return { cells, alpha };
}
