// Choice of variants: a role for each of a brand's drawings, and the one that becomes `default`.
import type { Background, Variant } from './entry.js';
import type { CandidateVariant } from './candidate.js';
import { isFaintByDay } from './drawing.js';
import { hasLikeShape, hasSameOutline, inkAspect, isSamePicture } from './likeness.js';
import { scoreMarks, WORDMARK_ASPECT, type BrandFacts, type Mark, type Offer, type ScoredMark } from './score-marks.js';

export type { Offer } from './score-marks.js';

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

export interface Choice {
  /** `default` first, the others by name. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** The drawing that became `default`. */
  readonly best: Mark;
  /** Every drawing that could have, best first. */
  readonly scored: readonly ScoredMark[];
}

/** Undefined when there is no drawing at all. */
export function chooseVariants(offers: readonly Offer[], facts: BrandFacts): Choice | undefined {
  const named = offers.flatMap((offer) => (isSource(offer) ? [{ ...offer, as: roleOf(offer) }] : []));
  const scored = scoreMarks(marksOf(named, facts), facts);
  const favorite = scored[0]?.mark ?? named.find(({ as }) => as !== 'mono') ?? named[0];
  if (favorite === undefined) return undefined;
  const best = visibleByDay(cheapestOf(favorite, scored, facts), named, facts);
  const marks = scored.map(({ mark }) => mark);
  const derived = offers.filter((offer) => !isSource(offer)).map(({ variant }) => variant);
  const chosen = collect({ best, favorite, marks, derived, named });
  const [, ...rest] = [...chosen].map(([name, variant]) => entryVariant(name, variant));
  const variants = [entryVariant('default', best.variant), ...rest.sort((a, b) => (a.name < b.name ? -1 : 1))] as const;
  return { variants, best, scored };
}

function isSource({ variant }: Offer): boolean {
  return variant.derivedFrom === undefined;
}

/** As it is published: without what only the choice needs. */
export function entryVariant(name: string, variant: CandidateVariant): Variant {
  const { width, height, colors, recolorable, on, etag, ink, derived, painted } = variant;
  const optional = {
    ...(ink !== undefined && { ink }),
    ...(derived !== undefined && { derived }),
    ...(painted !== undefined && { painted }),
  };
  return { name, width, height, colors, recolorable, on, etag, ...optional };
}

/** Drawings that may become the default; those for light pages only where there is nothing else in color. Where all marks are long, those called wordmarks are as good. */
function marksOf(named: readonly Mark[], { chosen }: BrandFacts): readonly Mark[] {
  const marks = named.filter(
    ({ as, ref, isOverride, variant }) =>
      MARKS.has(as) || (as === 'light' && !variant.recolorable) || ref === chosen || (isOverride && as === 'default'),
  );
  const isLong = ({ variant }: Mark): boolean => inkAspect(variant) > WORDMARK_ASPECT;
  return marks.length > 0 && marks.every(isLong) ? [...marks, ...named.filter(({ as }) => as === 'wordmark')] : marks;
}

interface Collected {
  readonly best: Mark;
  readonly favorite: Mark;
  readonly marks: readonly Mark[];
  readonly named: readonly Mark[];
  readonly derived: readonly CandidateVariant[];
}

type OfferVariant = (name: string, variant: CandidateVariant | undefined) => void;

function collect({ best, favorite, marks, named, derived }: Collected): Map<string, CandidateVariant> {
  const chosen = new Map<string, CandidateVariant>([['default', best.variant]]);
  const offer: OfferVariant = (name, variant) => {
    if (variant === undefined || chosen.has(name)) return;
    if ([...chosen.values()].some(({ etag }) => etag === variant.etag) && name !== 'mono') return;
    chosen.set(name, variant);
  };
  const derivedOf = ({ etag }: CandidateVariant, role: 'mono' | Background): CandidateVariant | undefined =>
    derived.find(({ derivedFrom }) => derivedFrom?.etag === etag && derivedFrom.role === role);

  const own = best.isOverride ? named.filter(({ isOverride }) => isOverride) : named;
  offer('mono', monoOf(best, own) ?? derivedOf(best.variant, 'mono') ?? monoOf(best, named));
  offerNamed(offer, named, { best, favorite });
  offerMarks(offer, marks, best);
  for (const [name, variant] of [...chosen])
    for (const ground of ['light', 'dark'] as const)
      if (!variant.on.includes(ground) && name !== 'light' && name !== 'dark')
        offer(name === 'default' ? ground : `${name}-${ground}`, derivedOf(variant, ground));
  return chosen;
}

/** By the names that the sources give them. */
function offerNamed(offer: OfferVariant, named: readonly Mark[], marks: Pick<Collected, 'best' | 'favorite'>): void {
  const [best, favorite] = [marks.best.variant, marks.favorite.variant];
  const preferred = byPreference(named);
  const first = (name: string): CandidateVariant | undefined => preferred.find(({ as }) => as === name)?.variant;
  const forPage = (name: Background): CandidateVariant | undefined =>
    preferred.find(({ as, variant, isOverride }) => as === name && (isOverride || hasLikeShape(variant, best)))
      ?.variant;
  const [light, dark] = lightAndDark(forPage('light'), forPage('dark'));
  offer('light', light);
  offer('dark', dark);
  if (isFaintByDay(favorite) && favorite.on.includes('dark')) offer('dark', favorite);
  for (const { as } of preferred) if (!MARKS.has(as) && as !== 'mono' && !isPage(as)) offer(as, first(as));
  for (const { as, variant } of preferred)
    if (isPage(as) && inkAspect(variant) > WORDMARK_ASPECT) offer(`wordmark-${as}`, variant);
}

const isPage = (name: string): boolean => name === 'light' || name === 'dark';

/** Marks that did not become the default. */
function offerMarks(offer: OfferVariant, marks: readonly Mark[], best: Mark): void {
  for (const { variant, as, kind } of marks) {
    if (kind === 'glyphs') continue;
    // A wide icon is no wordmark: the source itself calls the smile under "aws" an icon.
    if (inkAspect(variant) > WORDMARK_ASPECT) offer(as === 'icon' ? 'icon' : 'wordmark', variant);
    else if (!variant.recolorable && !isSamePicture(variant, best.variant)) offer('alternate', variant);
  }
}

/** Of drawings that look the same, the cheapest to draw. */
function cheapestOf(favorite: Mark, scored: readonly ScoredMark[], { chosen }: BrandFacts): Mark {
  if (favorite.ref === chosen || favorite.isOverride) return favorite;
  const costOf = ({ variant }: Mark): number => variant.look?.cost ?? Infinity;
  return scored
    .map(({ mark }) => mark)
    .filter(({ variant }) => isSamePicture(variant, favorite.variant))
    .reduce((cheapest, mark) => (costOf(mark) < costOf(cheapest) ? mark : cheapest), favorite);
}

/** A mark that melts into white pages gives way to its own version for them, or to the same mark in black. */
function visibleByDay(favorite: Mark, named: readonly Mark[], { chosen }: BrandFacts): Mark {
  const { variant } = favorite;
  const isFaint = isFaintByDay(variant) || (variant.look?.faded.light ?? 0) > 0.6;
  if (!isFaint || favorite.ref === chosen || favorite.isOverride) return favorite;
  const widest = Math.max(WORDMARK_ASPECT, inkAspect(variant) * SAME_ASPECT);
  const forDay = byPreference(named).filter(
    (mark) => mark.variant.on.includes('light') && inkAspect(mark.variant) <= widest,
  );
  return forDay.find(({ as }) => as === 'light') ?? forDay.find(({ as }) => as === 'mono') ?? favorite;
}

function roleOf({ variant, suffixes }: Offer): string {
  if (suffixes.includes('badge')) return 'badge';
  const own = SIZES.has(variant.name) ? `size-${variant.name}` : (SAME.get(variant.name) ?? variant.name);
  if (own !== 'default') return own;
  const tone = suffixes.find((suffix) => suffix === 'dark' || suffix === 'light' || suffix === 'mono');
  return tone ?? (suffixes.includes('icon') ? 'icon' : 'default');
}

function byPreference<Some extends Offer>(offers: readonly Some[]): readonly Some[] {
  return [...offers].sort((a, b) => Number(b.isOverride) - Number(a.isOverride) || a.rank - b.rank);
}

/** The drawing of one color that shows what the default shows; a source's own goes before one that is derived. */
function monoOf(best: Mark, named: readonly Mark[]): CandidateVariant | undefined {
  const order = ({ kind, variant, isOverride }: Mark): number =>
    (isOverride ? -16 : 0) +
    (hasSameOutline(variant, best.variant) ? -3 : 0) +
    (kind === 'glyphs' ? 0 : 1) +
    (variant.colors[0] === '#000000' ? 0 : 2) +
    (inkAspect(variant) > WORDMARK_ASPECT ? 4 : 0);
  return named
    .filter(({ as, variant }) => as === 'mono' && variant.recolorable)
    .sort((a, b) => order(a) - order(b) || a.rank - b.rank)[0]?.variant;
}

/**
 * `light` is for light backgrounds; where a source has it the other way round, the drawings' own visibility shows it.
 */
function lightAndDark<Some extends Variant>(
  light: Some | undefined,
  dark: Some | undefined,
): [Some | undefined, Some | undefined] {
  const swapped =
    (light !== undefined && onlyOn(light) === 'dark' && (dark === undefined || onlyOn(dark) === 'light')) ||
    (dark !== undefined && onlyOn(dark) === 'light' && light === undefined);
  return swapped ? [dark, light] : [light, dark];
}

function onlyOn({ on }: Variant): string | undefined {
  return on.length === 1 ? on[0] : undefined;
}
