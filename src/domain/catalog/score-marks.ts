// Score of a brand's drawings as its default: what each one shows, in points, each with the reason.
import { hasSameOutline, inkAspect } from './likeness.js';
import { channelsOf, isAchromatic, isFaintByDay } from './drawing.js';
import type { CandidateVariant, SourceKind } from './candidate.js';
import type { DrawingSuffix } from './names.js';

/** One drawing that a source has of a brand. */
export interface Offer {
  readonly variant: CandidateVariant;
  readonly kind: SourceKind;
  /** Sources in their order; the lower goes first. */
  readonly rank: number;
  readonly suffixes: readonly DrawingSuffix[];
  /** `package:key/variant`, as the overrides name it. */
  readonly ref: string;
  /** The operator's own, which goes before all others. */
  readonly isOverride: boolean;
}

export interface Mark extends Offer {
  /** What it shows: `default`, `icon`, `mono`, `wordmark`, … */
  readonly as: string;
}

export interface Reason {
  readonly points: number;
  readonly because: string;
}

export interface ScoredMark {
  readonly mark: Mark;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface BrandFacts {
  /** The brand's color. */
  readonly hex: string | null;
  /** The `ref` of the drawing that the operator's overrides name. */
  readonly chosen: string | undefined;
}

/** Longer than this by its height, a drawing is taken for letters rather than a mark. */
export const WORDMARK_ASPECT = 2.2;
const LONG_ASPECT = 1.5;
const LONGER_ASPECT = 1.75;
const LETTERS = 4;
const MANY_HUES = 3;
/** Colors nearer than this are the same to the eye; of 441. */
const SAME_COLOR = 70;
/** Share of the ink from which a color is one of the drawing's. */
const LEAST_AREA = 0.05;
const MUCH_WHITE = 0.3;
/** Share of the ink that may melt into white. */
const MAX_FADED = 0.3;
const MOSTLY_FADED = 0.65;

/** Best first. Deterministic: equal scores go by the order of the sources. */
export function scoreMarks(marks: readonly Mark[], facts: BrandFacts): readonly ScoredMark[] {
  return marks
    .map((mark) => {
      const reasons = reasonsFor(mark, marks, facts).filter(({ points }) => points !== 0);
      return { mark, reasons, score: reasons.reduce((sum, { points }) => sum + points, 0) };
    })
    .sort((a, b) => b.score - a.score || a.mark.rank - b.mark.rank || (a.mark.ref < b.mark.ref ? -1 : 1));
}

function reasonsFor(mark: Mark, marks: readonly Mark[], facts: BrandFacts): Reason[] {
  return [
    { points: facts.chosen === mark.ref ? 1000 : 0, because: 'named in the overrides' },
    { points: mark.isOverride ? 500 : 0, because: "the operator's own" },
    shapeReason(mark),
    letteringReason(mark),
    plateReason(mark, marks),
    colorReason(mark, facts.hex),
    brandColorReason(mark, marks, facts.hex),
    paperReason(mark, marks),
    fadedReason(mark),
    agreementReason(mark, marks),
    nameReason(mark),
  ];
}

function shapeReason({ variant }: Mark): Reason {
  const aspect = inkAspect(variant);
  const length = Math.max(aspect, 1 / aspect);
  if (length > WORDMARK_ASPECT) return { points: -60, because: `${ratio(length)} times as long as high: a wordmark` };
  const points = length > LONGER_ASPECT ? -18 : length > LONG_ASPECT ? -8 : 0;
  return { points, because: `${ratio(length)} times as long as high` };
}

const ratio = (value: number): string => value.toFixed(1);

function letteringReason({ variant }: Mark): Reason {
  const { letters = 0 } = variant.look ?? {};
  return { points: letters >= LETTERS ? -18 : 0, because: `${letters} shapes in a row, like letters` };
}

/** A mark that others draw free, on a disc or square: a badge, or the icon of an app. */
function plateReason({ variant }: Mark, marks: readonly Mark[]): Reason {
  const plate = variant.look?.plate ?? null;
  const isFree = (other: Mark): boolean =>
    other.variant.look?.plate === null && Math.abs(Math.log(inkAspect(other.variant))) < 1;
  const freeMarks = plate === null ? [] : marks.filter(isFree);
  const without = freeMarks.some(({ kind }) => kind === 'glyphs') ? -25 : freeMarks.length > 0 ? -6 : 0;
  return { points: without, because: `on a ${plate ?? 'plate'}, which another source leaves out` };
}

function colorReason({ variant }: Mark, hex: string | null): Reason {
  const isColored = (variant.look?.chromatic ?? Number(variant.colors.some((one) => !isAchromatic(one)))) > 0.08;
  if (!variant.recolorable && isColored) return { points: 30, because: 'in several colors' };
  if (isColored) return { points: 14, because: 'in one color' };
  if (hex !== null && !isAchromatic(hex)) return { points: -10, because: 'black or gray, where the brand has a color' };
  return { points: variant.recolorable ? 0 : 4, because: 'in shades of gray' };
}

/**
 * A brand that is black now has given the color of a flat drawing up. Of many colors, none need be the one by which the
 * brand is listed.
 */
function brandColorReason({ variant }: Mark, marks: readonly Mark[], hex: string | null): Reason {
  const areas = variant.look?.areas ?? [];
  const own = variant.colors.filter((_, at) => variant.recolorable || (areas[at] ?? 1) >= LEAST_AREA);
  if (hex === null || own.every(isAchromatic)) return { points: 0, because: '' };
  if (isAchromatic(hex)) {
    const isOld = variant.recolorable && marks.some(({ kind }) => kind === 'glyphs');
    return { points: isOld ? -24 : 0, because: `in one color, where the brand is ${hex} now` };
  }
  const nearest = Math.min(...own.map((color) => distance(color, hex)));
  if (nearest <= SAME_COLOR) return { points: 10, because: `has the brand's color ${hex}` };
  const points = (variant.look?.hues ?? 1) >= MANY_HUES ? 0 : -10;
  return { points, because: `has no color like the brand's ${hex}` };
}

/** Made for dark pages, when its source has another drawing for light ones. */
function paperReason(mark: Mark, marks: readonly Mark[]): Reason {
  const { variant, rank } = mark;
  const areas = variant.look?.areas ?? [];
  const white = variant.colors.reduce((sum, hex, at) => sum + (isWhite(hex) ? (areas[at] ?? 0) : 0), 0);
  const hasOwnForLight = marks.some((other) => other !== mark && other.as === 'light' && other.rank === rank);
  const points = white > MUCH_WHITE && hasOwnForLight ? -14 : white > LEAST_AREA ? -3 : 0;
  return { points, because: `${Math.round(white * 100)} % of its ink is white` };
}

function isWhite(hex: string): boolean {
  return Math.min(...channelsOf(hex)) >= 0xf0;
}

function distance(one: string, other: string): number {
  const channels = channelsOf(other);
  return Math.hypot(...channelsOf(one).map((channel, at) => channel - (channels[at] ?? 0)));
}

function fadedReason({ variant }: Mark): Reason {
  const faded = variant.look?.faded.light ?? Number(isFaintByDay(variant));
  const percent = Math.round(faded * 100);
  const points = faded > MOSTLY_FADED ? -35 : faded > MAX_FADED ? -4 : 0;
  return { points, because: `${percent} % of its ink melts into white` };
}

/** The glyph collection draws the symbol as it is now; other sources follow with a delay. */
function agreementReason(mark: Mark, marks: readonly Mark[]): Reason {
  const like = marks.filter((other) => other !== mark && hasSameOutline(mark.variant, other.variant));
  const sources = new Set(like.filter(({ rank }) => rank !== mark.rank).map(({ rank }) => rank)).size;
  const asGlyph = like.some(({ kind }) => kind === 'glyphs');
  const points = Math.min(2, sources) * 6 + (asGlyph ? 4 : 0);
  return { points, because: `same outline in ${sources} other ${sources === 1 ? 'source' : 'sources'}` };
}

function nameReason({ as, kind, variant }: Mark): Reason {
  if (as === 'wordmark') return { points: -12, because: 'called a wordmark' };
  if (as === 'light') return { points: -2, because: 'called light by its source' };
  if (as === 'icon' || as === 'color') return { points: 2, because: `called ${as} by its source` };
  if (kind === 'glyphs') return { points: 0, because: '' };
  // Among drawings of one color the glyph collection's is the most evenly drawn.
  return { points: variant.recolorable ? -8 : 0, because: 'one color, and not of the glyph collection' };
}
