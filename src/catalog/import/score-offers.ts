// Scores a brand's drawings as candidates for `default`. A score is a sum of points, each with its reason.
import { hasSameOutline, inkAspect } from './shape-similarity.js';
import { colorDistance, isAchromatic, isFaintByDay, SAME_COLOR } from '../drawing.js';
import { channelsOf } from '../page-colors.js';
import type { CandidateVariant, SourceKind } from './candidate.js';
import type { Background } from '../entry.js';

/** One drawing of a brand from one source, which may become a variant. */
export interface DrawingOffer {
  readonly variant: CandidateVariant;
  /** `default`, `icon`, `mono`, `wordmark`, … */
  readonly role: string;
  readonly kind: SourceKind;
  /** Position of the source in the order of precedence, starting with 0. */
  readonly rank: number;
  /** `package:key/variant`, as in the operator's overrides. */
  readonly ref: string;
  /** True for the operator's own drawing, which takes precedence over all other drawings. */
  readonly isOverride: boolean;
}

export interface ScoredOffer {
  readonly offer: DrawingOffer;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

interface Reason {
  readonly points: number;
  readonly because: string;
}

export interface ChoiceFacts {
  readonly hex: string | null;
  /** `ref` of the drawing that the operator's overrides name as `default`. */
  readonly chosen: string | undefined;
  /**
   * Drawings that the operator's overrides choose for light and for dark pages: `default` or the `ref` of a drawing. A
   * color `#rrggbb` means the one-color drawing in that color.
   */
  readonly pages?: Readonly<Partial<Record<Background, string>>>;
}

/** Ratio of width to height above which a drawing counts as lettering, not as a symbol. */
export const WORDMARK_ASPECT = 2.2;
const LONG_ASPECT = 1.5;
const LONGER_ASPECT = 1.75;
const LETTERS = 4;
const MANY_HUES = 3;
/** Minimum share of the visible pixels that a color must have to be considered. */
const LEAST_AREA = 0.05;
const MUCH_WHITE = 0.3;
/** Share of the drawing's pixels that may be invisible on white without a penalty. */
const MAX_FADED = 0.3;
const MOSTLY_FADED = 0.65;
/**
 * Points that the operator's own drawings get, more than all other points together. If a brand has such drawings, the
 * override for `default` can only choose among them.
 */
const OWN = 2000;
/**
 * Points that the operator's file without a variant name (`acme.svg`) gets. It takes precedence over the operator's
 * other files (`acme--dark.svg`).
 */
const OWN_DEFAULT = 500;
/** Points that a drawing gets if the operator's overrides name it as `default`. */
const NAMED = 1000;

/**
 * Returns the drawings, best first. Drawings with equal scores are ordered by source and `ref`, so that the result is
 * deterministic.
 */
export function scoreOffers(offers: readonly DrawingOffer[], facts: ChoiceFacts): readonly ScoredOffer[] {
  return offers
    .map((offer) => {
      const reasons = reasonsFor(offer, offers, facts).filter(({ points }) => points !== 0);
      return { offer, reasons, score: reasons.reduce((sum, { points }) => sum + points, 0) };
    })
    .sort((a, b) => b.score - a.score || a.offer.rank - b.offer.rank || (a.offer.ref < b.offer.ref ? -1 : 1));
}

function reasonsFor(offer: DrawingOffer, offers: readonly DrawingOffer[], facts: ChoiceFacts): Reason[] {
  return [
    { points: facts.chosen === offer.ref ? NAMED : 0, because: 'named in the overrides' },
    { points: offer.isOverride ? OWN : 0, because: "the operator's own" },
    { points: offer.isOverride && isNamedDefault(offer) ? OWN_DEFAULT : 0, because: 'named default by the operator' },
    shapeReason(offer),
    letteringReason(offer),
    plateReason(offer, offers),
    colorReason(offer, facts.hex),
    brandColorReason(offer, offers, facts.hex),
    paperReason(offer, offers),
    fadedReason(offer),
    agreementReason(offer, offers),
    nameReason(offer),
  ];
}

function isNamedDefault({ role, variant }: DrawingOffer): boolean {
  return role === 'default' && variant.name === 'default';
}

function shapeReason({ variant }: DrawingOffer): Reason {
  const aspect = inkAspect(variant);
  const length = Math.max(aspect, 1 / aspect);
  if (length > WORDMARK_ASPECT) return { points: -60, because: `aspect ratio of ${ratio(length)}: a wordmark` };
  const points = length > LONGER_ASPECT ? -18 : length > LONG_ASPECT ? -8 : 0;
  return { points, because: `aspect ratio of ${ratio(length)}` };
}

const ratio = (value: number): string => value.toFixed(1);

function letteringReason({ variant }: DrawingOffer): Reason {
  const { letters = 0 } = variant.look ?? {};
  return { points: letters >= LETTERS ? -18 : 0, because: `${letters} shapes in a row, like letters` };
}

/**
 * Lowers the score of a symbol on a disc or square (a badge or an app icon) if another source has a symbol without disc
 * or square.
 */
function plateReason({ variant }: DrawingOffer, offers: readonly DrawingOffer[]): Reason {
  const plate = variant.look?.plate ?? null;
  const isFree = (other: DrawingOffer): boolean =>
    other.variant.look?.plate === null && Math.abs(Math.log(inkAspect(other.variant))) < 1;
  const free = plate === null ? [] : offers.filter(isFree);
  const without = free.some(({ kind }) => kind === 'glyphs') ? -25 : free.length > 0 ? -6 : 0;
  return { points: without, because: `on a ${plate ?? 'plate'}, unlike the drawing of another source` };
}

function colorReason({ variant }: DrawingOffer, hex: string | null): Reason {
  const isColored = (variant.look?.chromatic ?? Number(variant.colors.some((one) => !isAchromatic(one)))) > 0.08;
  if (!variant.recolorable && isColored) return { points: 30, because: 'in several colors' };
  if (isColored) return { points: 14, because: 'in one color' };
  if (hex !== null && !isAchromatic(hex))
    return { points: -10, because: 'black or gray, although the brand has a color' };
  return { points: variant.recolorable ? 0 : 4, because: 'in shades of gray' };
}

/**
 * Compares the drawing's colors with the brand color. A drawing of many colors need not contain the brand color. If the
 * brand color is black, white or gray, and the brand also has a glyph, a drawing in one chromatic color probably shows
 * an outdated logo.
 */
function brandColorReason({ variant }: DrawingOffer, offers: readonly DrawingOffer[], hex: string | null): Reason {
  const areas = variant.look?.areas ?? [];
  const own = variant.colors.filter((_, at) => variant.recolorable || (areas[at] ?? 1) >= LEAST_AREA);
  if (hex === null || own.every(isAchromatic)) return { points: 0, because: '' };
  if (isAchromatic(hex)) {
    const isOld = variant.recolorable && offers.some(({ kind }) => kind === 'glyphs');
    return { points: isOld ? -24 : 0, because: `in one color, although the brand color is now ${hex}` };
  }
  const nearest = Math.min(...own.map((color) => colorDistance(color, hex)));
  if (nearest <= SAME_COLOR) return { points: 10, because: `has the brand's color ${hex}` };
  const points = (variant.look?.hues ?? 1) >= MANY_HUES ? 0 : -10;
  return { points, because: `has no color like the brand's ${hex}` };
}

/**
 * Lowers the score of a drawing with white parts. If much of the drawing is white, and its source has another drawing
 * for light pages, the scored drawing was designed for dark pages. Its score is then lowered more.
 */
function paperReason(offer: DrawingOffer, offers: readonly DrawingOffer[]): Reason {
  const { variant, rank } = offer;
  const areas = variant.look?.areas ?? [];
  const white = variant.colors.reduce((sum, hex, at) => sum + (isWhite(hex) ? (areas[at] ?? 0) : 0), 0);
  const hasOwnForLight = offers.some((other) => other !== offer && other.role === 'light' && other.rank === rank);
  const points = white > MUCH_WHITE && hasOwnForLight ? -14 : white > LEAST_AREA ? -3 : 0;
  return { points, because: `${Math.round(white * 100)} % of its area is white` };
}

function isWhite(hex: string): boolean {
  return Math.min(...channelsOf(hex)) >= 0xf0;
}

function fadedReason({ variant }: DrawingOffer): Reason {
  const faded = variant.look?.faded.light ?? Number(isFaintByDay(variant));
  const percent = Math.round(faded * 100);
  const points = faded > MOSTLY_FADED ? -35 : faded > MAX_FADED ? -4 : 0;
  return { points, because: `${percent} % of its area is invisible on white` };
}

/**
 * Raises the score of a drawing if other sources have the same outline. A source of glyphs counts more, because it
 * updates its symbols earlier than other sources.
 */
function agreementReason(offer: DrawingOffer, offers: readonly DrawingOffer[]): Reason {
  const like = offers.filter((other) => other !== offer && hasSameOutline(offer.variant, other.variant));
  const sources = new Set(like.filter(({ rank }) => rank !== offer.rank).map(({ rank }) => rank)).size;
  const asGlyph = like.some(({ kind }) => kind === 'glyphs');
  const points = Math.min(2, sources) * 6 + (asGlyph ? 4 : 0);
  return { points, because: `same outline in ${sources} other ${sources === 1 ? 'source' : 'sources'}` };
}

function nameReason({ role, kind, variant }: DrawingOffer): Reason {
  if (role === 'wordmark') return { points: -12, because: 'named wordmark by its source' };
  if (role === 'light') return { points: -2, because: 'named light by its source' };
  if (role === 'icon' || role === 'color') return { points: 2, because: `named ${role} by its source` };
  if (kind === 'glyphs') return { points: 0, because: '' };
  // One-color drawings of other sources lose points, because the glyph collection has the most consistent ones.
  return { points: variant.recolorable ? -8 : 0, because: 'in one color, but not from the glyph collection' };
}
