// Choice of variants: a role for each of a brand's drawings, and the one that becomes `default`.
import type { Variant } from './entry.js';
import type { SourceKind } from './candidate.js';
import { isAchromatic, isFaintByDay } from './drawing.js';
import type { DrawingSuffix } from './names.js';

/** One drawing that a source has of a brand. */
export interface Offer {
  readonly variant: Variant;
  readonly kind: SourceKind;
  /** Sources in their order; the lower goes first. */
  readonly rank: number;
  readonly suffixes: readonly DrawingSuffix[];
}

/** Longer than this by its height, a drawing is taken for letters rather than a mark. */
const WORDMARK_ASPECT = 2.2;
/** How much wider a drawing may be and still show the same. */
const SAME_ASPECT = 1.1;
/** Sources' names for what is here called by one. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['lockup', 'horizontal'],
  ['logo', 'horizontal'],
]);
/** Drawings for one size only; the scalable one beside them says the same. */
const SIZES = new Set(['16', '32', '64']);
const MARKS = new Set(['default', 'icon', 'color']);

/** `default` first, the others by name. Undefined when there is no drawing at all. */
export function chooseVariants(
  offers: readonly Offer[],
  hex: string | null,
): readonly [Variant, ...Variant[]] | undefined {
  const named = offers.map((offer) => ({ ...offer, as: roleOf(offer) }));
  const marks = named.filter(({ as }) => MARKS.has(as)).sort((a, b) => compareMarks(a, b, hex));
  const [favorite = named.find(({ as }) => as !== 'mono') ?? named[0]] = marks;
  if (favorite === undefined) return undefined;
  const best = visibleByDay(favorite, named);
  const chosen = new Map<string, Variant>([['default', best.variant]]);
  const offer = (name: string, variant: Variant | undefined): void => {
    if (variant === undefined || chosen.has(name)) return;
    if ([...chosen.values()].some(({ etag }) => etag === variant.etag) && name !== 'mono') return;
    chosen.set(name, variant);
  };
  const first = (name: string): Variant | undefined => [...named].sort(byRank).find(({ as }) => as === name)?.variant;

  offer('mono', named.filter(({ as, variant }) => as === 'mono' && variant.recolorable).sort(byKindOfMono)[0]?.variant);
  const [light, dark] = lightAndDark(first('light'), first('dark'));
  offer('light', light);
  offer('dark', dark);
  if (isFaintByDay(favorite.variant) && favorite.variant.on.includes('dark')) offer('dark', favorite.variant);
  for (const { as } of [...named].sort(byRank)) if (!MARKS.has(as) && as !== 'mono') offer(as, first(as));
  for (const { variant, as } of marks) {
    // A wide icon is no wordmark: the source itself calls the smile under "aws" an icon.
    if (aspectOf(variant) > WORDMARK_ASPECT) offer(as === 'icon' ? 'icon' : 'wordmark', variant);
    else if (!variant.recolorable) offer('alternate', variant);
  }
  const [, ...rest] = [...chosen].map(([name, variant]) => ({ ...variant, name }));
  return [{ ...best.variant, name: 'default' }, ...rest.sort((a, b) => (a.name < b.name ? -1 : 1))];
}

/**
 * A mark that white pages swallow gives way to its own version for them; a single faint paint, to the same mark in
 * black.
 */
function visibleByDay(favorite: Mark, named: readonly Mark[]): Mark {
  if (favorite.variant.on.includes('light')) return favorite;
  const widest = Math.max(WORDMARK_ASPECT, aspectOf(favorite.variant) * SAME_ASPECT);
  const forDay = [...named]
    .sort(byRank)
    .filter(({ variant }) => variant.on.includes('light') && aspectOf(variant) <= widest);
  const light = forDay.find(({ as }) => as === 'light');
  if (light !== undefined || !isFaintByDay(favorite.variant)) return light ?? favorite;
  return forDay.find(({ as }) => as === 'mono') ?? favorite;
}

function roleOf({ variant, suffixes }: Offer): string {
  if (suffixes.includes('badge')) return 'badge';
  const own = SIZES.has(variant.name) ? `size-${variant.name}` : (SAME.get(variant.name) ?? variant.name);
  if (own !== 'default') return own;
  const tone = suffixes.find((suffix) => suffix === 'dark' || suffix === 'light' || suffix === 'mono');
  return tone ?? (suffixes.includes('icon') ? 'icon' : 'default');
}

interface Mark extends Offer {
  readonly as: string;
}

/** The better mark first: square rather than wide, in the brand's colors, visible on any page, an icon by name. */
function compareMarks(a: Mark, b: Mark, hex: string | null): number {
  return costOf(a, hex) - costOf(b, hex) || byRank(a, b);
}

function costOf({ variant, kind, as }: Mark, hex: string | null): number {
  const aspect = Math.max(aspectOf(variant), 1 / aspectOf(variant));
  const isWide = aspect > 1.8 ? 100 : 0;
  const isPale =
    variant.recolorable && isAchromatic(variant.colors[0] ?? '#000000') && hex !== null && !isAchromatic(hex) ? 40 : 0;
  // Among single-color marks the glyph collection is the most evenly drawn.
  const isCopy = variant.recolorable && kind !== 'glyphs' ? 10 : 0;
  const isGlyph = kind === 'glyphs' ? 5 : 0;
  // Most pages are light.
  const isHidden = (variant.on.includes('light') ? 0 : 8) + (variant.on.includes('dark') ? 0 : 3);
  const isPlain = as === 'default' ? 1 : 0;
  return isWide + isPale + isCopy + isGlyph + isHidden + isPlain;
}

function aspectOf({ width, height }: Variant): number {
  return width / height;
}

function byRank(a: Offer, b: Offer): number {
  return a.rank - b.rank;
}

function byKindOfMono(a: Offer, b: Offer): number {
  const order = ({ kind, variant }: Offer): number =>
    (kind === 'glyphs' ? 0 : 1) +
    (variant.colors[0] === '#000000' ? 0 : 2) +
    (aspectOf(variant) > WORDMARK_ASPECT ? 4 : 0);
  return order(a) - order(b) || byRank(a, b);
}

/**
 * `light` is for light backgrounds; where a source has it the other way round, the drawings' own visibility shows it.
 */
function lightAndDark(
  light: Variant | undefined,
  dark: Variant | undefined,
): [Variant | undefined, Variant | undefined] {
  const swapped =
    (light !== undefined && onlyOn(light) === 'dark' && (dark === undefined || onlyOn(dark) === 'light')) ||
    (dark !== undefined && onlyOn(dark) === 'light' && light === undefined);
  return swapped ? [dark, light] : [light, dark];
}

function onlyOn({ on }: Variant): string | undefined {
  return on.length === 1 ? on[0] : undefined;
}
