// Likeness of drawings, by their fingerprints: the same picture, or the same shape in other colors.
import type { CandidateVariant, Look } from './candidate.js';

/** Mean difference of a cell's channel up to which two drawings are the same picture, 0..1. */
const SAME_PICTURE = 0.012;
/** Mean difference of a cell's alpha up to which they have the same outline. */
const SAME_OUTLINE = 0.07;
/** The same of a drawing for another page, which may stand on a disc, or be cut out of it. */
const LIKE_OUTLINE = 0.25;
/** How much longer a drawing for another page may be. */
const LIKE_ASPECT = 1.3;
/** How much longer one may be by its height and still have the same shape. */
const SAME_ASPECT = 1.12;

type Drawn = Pick<CandidateVariant, 'look' | 'ink' | 'width' | 'height' | 'recolorable' | 'colors'>;

/** Whether they look the same, margins aside. False for drawings that were not measured. */
export function isSamePicture(one: Drawn, other: Drawn): boolean {
  if (!hasLikeAspect(one, other) || one.recolorable !== other.recolorable) return false;
  if (one.recolorable && one.colors[0] !== other.colors[0]) return false;
  return meanDifference(printOf(one).cells, printOf(other).cells) <= SAME_PICTURE;
}

/** Whether they show the same symbol, as far as its outline says. */
export function hasSameOutline(one: Drawn, other: Drawn): boolean {
  return hasLikeAspect(one, other) && meanDifference(printOf(one).alpha, printOf(other).alpha) <= SAME_OUTLINE;
}

/** Whether one may stand in for the other on another page: no wordmark for a symbol, and nothing that shows something else. */
export function hasLikeShape(one: Drawn, other: Drawn): boolean {
  const ratio = inkAspect(one) / inkAspect(other);
  if (Math.max(ratio, 1 / ratio) > LIKE_ASPECT) return false;
  if (one.look === undefined || other.look === undefined) return true;
  return meanDifference(printOf(one).alpha, printOf(other).alpha) <= LIKE_OUTLINE;
}

/** Width by height of the ink. */
export function inkAspect({ ink, width, height }: Pick<CandidateVariant, 'ink' | 'width' | 'height'>): number {
  const [, , across, down] = ink ?? [0, 0, width, height];
  return across / down;
}

/** Share of the ink's box that is ink, 0..1, two digits. */
export function inkShareOf(look: Look): number {
  const { alpha } = printOf({ look });
  const sum = alpha.reduce((total, value) => total + value, 0);
  return Math.round((sum / Math.max(1, alpha.length) / 15) * 100) / 100;
}

function hasLikeAspect(one: Drawn, other: Drawn): boolean {
  const ratio = inkAspect(one) / inkAspect(other);
  return Math.max(ratio, 1 / ratio) <= SAME_ASPECT;
}

/** 0..1; 1 when one of them was not measured. */
function meanDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length || one.length === 0) return 1;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length / 15;
}

const CELLS = 144;
const known = new WeakMap<object, { readonly cells: Uint8Array; readonly alpha: Uint8Array }>();

/** The four-bit values of a print, one or four a cell; and the last of each cell. */
function printOf({ look }: Pick<Drawn, 'look'>): { readonly cells: Uint8Array; readonly alpha: Uint8Array } {
  const before = look && known.get(look);
  if (before !== undefined) return before;
  const bytes = Buffer.from(look?.print ?? '', 'base64');
  // Filled in place, since a merge unpacks ten thousand of them.
  const cells = new Uint8Array(2 * bytes.length);
  bytes.forEach((byte, at) => {
    cells[2 * at] = byte >> 4;
    cells[2 * at + 1] = byte & 15;
  });
  const alpha = cells.length <= CELLS ? cells : cells.filter((_, at) => at % 4 === 3);
  if (look) known.set(look, { cells, alpha });
  return { cells, alpha };
}
