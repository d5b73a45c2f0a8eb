// Choice of variants: gives each of a brand's drawings a role, and chooses the drawing that becomes `default`.
import type { Background, Variant } from '../entry.js';
import type { CandidateVariant } from './candidate.js';
import { inColor, isFaintByDay } from '../drawing.js';
import { hasLikeShape, hasSameOutline, inkAspect, inkShareOf, isSamePicture } from './shape-similarity.js';
import type { DrawingSuffix } from '../names.js';
import { scoreOffers, WORDMARK_ASPECT, type ChoiceFacts, type DrawingOffer, type ScoredOffer } from './score-offers.js';

/**
 * Maximum aspect ratio of a drawing that replaces a wide symbol, as a multiple of the symbol's aspect ratio (width to
 * height).
 */
const SAME_ASPECT = 1.1;
/** Name that a source uses for a drawing → role of the drawing. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['lockup', 'horizontal'],
  ['logo', 'horizontal'],
]);
const PAGES: readonly Background[] = ['light', 'dark'];
/**
 * Names of drawings that are made for one size. They are not used, because their icons also have a scalable drawing.
 */
const SIZES = new Set(['16', '32', '64']);
/**
 * Roles of drawings that count as a brand's symbol. Drawings with other roles, such as `wordmark`, do not count as
 * symbols.
 */
export const SYMBOLS: ReadonlySet<string> = new Set(['default', 'icon', 'color']);

export interface Choice {
  /** `default` first, then the other variants, sorted by name. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** The drawing that became `default`. */
  readonly best: DrawingOffer;
  /** All candidates for `default`, best first. */
  readonly scored: readonly ScoredOffer[];
}

/** Returns undefined when there is no drawing at all. */
export function chooseVariants(offers: readonly DrawingOffer[], facts: ChoiceFacts): Choice | undefined {
  const own = offers.filter(({ variant }) => variant.derivedFrom === undefined);
  const scored = scoreOffers(contenders(own, facts), facts);
  const favorite = scored[0]?.offer ?? own.find(({ role }) => role !== 'mono') ?? own[0];
  if (favorite === undefined) return undefined;
  const best = visibleByDay(cheapestOf(favorite, scored, facts), own, facts);
  const derived = offers.map(({ variant }) => variant).filter(({ derivedFrom }) => derivedFrom !== undefined);
  const chosen = collect({ best, favorite, scored, own, derived });
  for (const page of PAGES) {
    const show = facts.pages?.[page];
    if (mayDecide(page, { show, best, own })) decideForPage(chosen, page, { show, own, derived });
  }
  const looks = new Map(own.map(({ variant }) => [variant.etag, variant.look]));
  const published = (name: string, variant: CandidateVariant): Variant =>
    entryVariant(name, variant, looks.get(variant.derivedFrom?.etag ?? variant.etag));
  const [main, ...rest] = [...chosen].map(([name, variant]) => published(name, variant));
  const others = rest.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { variants: [main ?? published('default', best.variant), ...others], best, scored };
}

/** Returns the role of a drawing that a source calls `name`. */
export function roleOf(name: string, suffixes: readonly DrawingSuffix[]): string {
  if (suffixes.includes('badge')) return 'badge';
  const role = SIZES.has(name) ? `size-${name}` : (SAME.get(name) ?? name);
  if (role !== 'default') return role;
  const tone = suffixes.find((suffix) => suffix === 'dark' || suffix === 'light' || suffix === 'mono');
  return tone ?? (suffixes.includes('icon') ? 'icon' : 'default');
}

/**
 * Returns the published form of a variant. Omits facts that are only needed to choose variants. For a derived drawing,
 * pass the `look` of its original.
 */
export function entryVariant(name: string, variant: CandidateVariant, look = variant.look): Variant {
  const { width, height, colors, recolorable, on, etag, ink, derived, painted } = variant;
  const optional = {
    ...(ink !== undefined && { ink }),
    ...(look !== undefined && { inkShare: inkShareOf(look) }),
    ...(derived !== undefined && { derived }),
    ...(painted !== undefined && { painted }),
  };
  return { name, width, height, colors, recolorable, on, etag, ...optional };
}

/**
 * Returns the drawings that may become `default`: symbols, drawings that the operator names, and multicolored drawings
 * for light pages. If all these drawings are as wide as wordmarks, adds the wordmarks.
 */
function contenders(own: readonly DrawingOffer[], { chosen }: ChoiceFacts): readonly DrawingOffer[] {
  const symbols = own.filter(
    ({ role, ref, isOverride, variant }) =>
      SYMBOLS.has(role) ||
      (role === 'light' && !variant.recolorable) ||
      ref === chosen ||
      (isOverride && role === 'default'),
  );
  const areLong = symbols.length > 0 && symbols.every(({ variant }) => inkAspect(variant) > WORDMARK_ASPECT);
  return areLong ? [...symbols, ...own.filter(({ role }) => role === 'wordmark')] : symbols;
}

interface Collected {
  readonly best: DrawingOffer;
  readonly favorite: DrawingOffer;
  readonly scored: readonly ScoredOffer[];
  readonly own: readonly DrawingOffer[];
  readonly derived: readonly CandidateVariant[];
}

type Take = (name: string, variant: CandidateVariant | undefined) => void;

function collect({ best, favorite, scored, own, derived }: Collected): Map<string, CandidateVariant> {
  const chosen = new Map<string, CandidateVariant>([['default', best.variant]]);
  const take: Take = (name, variant) => {
    if (variant === undefined || chosen.has(name)) return;
    if ([...chosen.values()].some(({ etag }) => etag === variant.etag) && name !== 'mono') return;
    chosen.set(name, variant);
  };
  const derivedOf = (variant: CandidateVariant, role: 'mono' | Background): CandidateVariant | undefined =>
    derivedFor(derived, variant, role);

  const preferred = best.isOverride ? own.filter(({ isOverride }) => isOverride) : own;
  take('mono', monoOf(best, preferred) ?? derivedOf(best.variant, 'mono') ?? monoOf(best, own));
  takeNamed(take, own, { best: best.variant, favorite: favorite.variant });
  takeOtherSymbols(take, scored, best);
  for (const [name, variant] of [...chosen])
    for (const page of PAGES)
      if (!variant.on.includes(page) && !isPage(name))
        take(name === 'default' ? page : `${name}-${page}`, derivedOf(variant, page));
  return chosen;
}

function derivedFor(
  derived: readonly CandidateVariant[],
  { etag }: CandidateVariant,
  role: 'mono' | Background,
): CandidateVariant | undefined {
  return derived.find(({ derivedFrom }) => derivedFrom?.etag === etag && derivedFrom.role === role);
}

/** Adds the sources' drawings as variants, each under its role. */
function takeNamed(
  take: Take,
  own: readonly DrawingOffer[],
  { best, favorite }: Readonly<Record<'best' | 'favorite', CandidateVariant>>,
): void {
  const preferred = byPreference(own);
  const forPage = (page: Background): CandidateVariant | undefined =>
    preferred.find(({ role, variant, isOverride }) => role === page && (isOverride || hasLikeShape(variant, best)))
      ?.variant;
  const [light, dark] = lightAndDark(forPage('light'), forPage('dark'));
  take('light', light);
  take('dark', dark);
  if (isFaintByDay(favorite) && favorite.on.includes('dark')) take('dark', favorite);
  for (const role of new Set(preferred.map((offer) => offer.role)))
    if (!SYMBOLS.has(role) && role !== 'mono' && !isPage(role))
      take(role, preferred.find((offer) => offer.role === role)?.variant);
  for (const { role, variant } of preferred)
    if (isPage(role) && inkAspect(variant) > WORDMARK_ASPECT) take(`wordmark-${role}`, variant);
}

interface PageDecision {
  /**
   * Drawing that the operator's overrides choose for a light or dark page: `default`, the `ref` of a drawing, or a
   * color `#rrggbb` for the one-color drawing.
   */
  readonly show: string | undefined;
  readonly own: readonly DrawingOffer[];
  readonly derived: readonly CandidateVariant[];
}

/**
 * Returns true if the operator's override `show` decides which drawing is used on this page. It always decides if it
 * names a drawing that the operator supplied. Otherwise, it does not decide if the operator supplied a drawing as
 * `default` or for this page.
 */
function mayDecide(
  page: Background,
  { show, best, own }: Pick<PageDecision, 'show' | 'own'> & { readonly best: DrawingOffer },
): boolean {
  const ofOperator = own.filter(({ isOverride }) => isOverride);
  if (ofOperator.some(({ ref }) => ref === show)) return true;
  return !best.isOverride && !ofOperator.some(({ role }) => role === page);
}

/** Applies the operator's override for light or dark pages. Does nothing if the named drawing no longer exists. */
function decideForPage(
  chosen: Map<string, CandidateVariant>,
  page: Background,
  { show, own, derived }: PageDecision,
): void {
  const main = chosen.get('default');
  if (show === undefined || main === undefined) return;
  const others = main.on.filter((one) => one !== page);
  if (show === 'default') {
    chosen.set('default', { ...main, on: PAGES.filter((one) => one === page || others.includes(one)) });
    chosen.delete(page);
    return;
  }
  const mono = main.recolorable ? main : (derivedFor(derived, main, 'mono') ?? chosen.get('mono'));
  const drawing = show.startsWith('#')
    ? mono && { ...inColor(mono, show), derived: true as const }
    : own.find(({ ref }) => ref === show)?.variant;
  if (drawing === undefined) return;
  chosen.set('default', { ...main, on: others });
  chosen.set(page, { ...drawing, on: PAGES.filter((one) => one === page || drawing.on.includes(one)) });
}

const isPage = (name: string): boolean => name === 'light' || name === 'dark';

/** Adds candidates for `default` that were not chosen, as `icon`, `wordmark` or `alternate`. */
function takeOtherSymbols(take: Take, scored: readonly ScoredOffer[], best: DrawingOffer): void {
  for (const {
    offer: { variant, role, kind },
  } of scored) {
    if (kind === 'glyphs') continue;
    // A wide drawing is a wordmark, unless its source calls it an icon. For example, the smile under "aws" is a wide
    // icon.
    if (inkAspect(variant) > WORDMARK_ASPECT) take(role === 'icon' ? 'icon' : 'wordmark', variant);
    else if (!variant.recolorable && !isSamePicture(variant, best.variant)) take('alternate', variant);
  }
}

/**
 * Returns the drawing that looks like `favorite` and takes the least time to rasterize. Returns `favorite` itself if
 * the operator has chosen it.
 */
function cheapestOf(favorite: DrawingOffer, scored: readonly ScoredOffer[], { chosen }: ChoiceFacts): DrawingOffer {
  if (favorite.ref === chosen || favorite.isOverride) return favorite;
  const costOf = ({ variant }: DrawingOffer): number => variant.look?.cost ?? Infinity;
  return scored
    .map(({ offer }) => offer)
    .filter(({ variant }) => isSamePicture(variant, favorite.variant))
    .reduce((cheapest, offer) => (costOf(offer) < costOf(cheapest) ? offer : cheapest), favorite);
}

/**
 * Returns `favorite` if it is visible on a white page, or if the operator has chosen it. Otherwise returns the brand's
 * drawing for light pages, or else its one-color drawing, or else `favorite`.
 */
function visibleByDay(favorite: DrawingOffer, own: readonly DrawingOffer[], { chosen }: ChoiceFacts): DrawingOffer {
  const { variant } = favorite;
  const isFaint = isFaintByDay(variant) || (variant.look?.faded.light ?? 0) > 0.6;
  if (!isFaint || favorite.ref === chosen || favorite.isOverride) return favorite;
  const widest = Math.max(WORDMARK_ASPECT, inkAspect(variant) * SAME_ASPECT);
  const forDay = byPreference(own).filter(
    (offer) => offer.variant.on.includes('light') && inkAspect(offer.variant) <= widest,
  );
  return forDay.find(({ role }) => role === 'light') ?? forDay.find(({ role }) => role === 'mono') ?? favorite;
}

function byPreference(offers: readonly DrawingOffer[]): readonly DrawingOffer[] {
  return [...offers].sort((a, b) => Number(b.isOverride) - Number(a.isOverride) || a.rank - b.rank);
}

/**
 * Returns the best one-color drawing that the sources have for the brand. The operator's own drawing is preferred, then
 * a drawing with the same outline as `best`.
 */
function monoOf(best: DrawingOffer, offers: readonly DrawingOffer[]): CandidateVariant | undefined {
  const order = ({ kind, variant, isOverride }: DrawingOffer): number =>
    (isOverride ? -16 : 0) +
    (hasSameOutline(variant, best.variant) ? -3 : 0) +
    (kind === 'glyphs' ? 0 : 1) +
    (variant.colors[0] === '#000000' ? 0 : 2) +
    (inkAspect(variant) > WORDMARK_ASPECT ? 4 : 0);
  return offers
    .filter(({ role, variant }) => role === 'mono' && variant.recolorable)
    .sort((a, b) => order(a) - order(b) || a.rank - b.rank)[0]?.variant;
}

/**
 * Returns the drawings for light and for dark pages. Swaps them if the drawing for light pages is visible only on dark
 * pages, or the other way round.
 */
function lightAndDark(
  light: CandidateVariant | undefined,
  dark: CandidateVariant | undefined,
): [CandidateVariant | undefined, CandidateVariant | undefined] {
  const swapped =
    (light !== undefined && onlyOn(light) === 'dark' && (dark === undefined || onlyOn(dark) === 'light')) ||
    (dark !== undefined && onlyOn(dark) === 'light' && light === undefined);
  return swapped ? [dark, light] : [light, dark];
}

function onlyOn({ on }: Variant): string | undefined {
  return on.length === 1 ? on[0] : undefined;
}
