// Candidates of a batch of icons: sanitized variants, with their assets by content hash.
import type { Candidate, CandidateVariant } from '../../domain/catalog/candidate.js';
import type { SetIcon } from '../../domain/catalog/set-icon.js';
import {
  assetKey,
  brandHex,
  derivedVariant,
  glyphPaint,
  isAchromatic,
  isPlainBlack,
  repaint,
  variantOfDrawing,
  type CleanDrawing,
  type Derivation,
} from '../../domain/catalog/drawing.js';
import { iconBody, innerSvg } from '../../domain/iconify/icon-body.js';
import { decideLicense, type CatalogPolicy } from '../../domain/catalog/import-policy.js';
import type { IconSource, SourceIcon } from '../../ports/catalog-sources.js';
import type { Asset } from '../../ports/catalog-store.js';
import type { SanitizeOutcome, Sanitizer } from '../../ports/sanitizer.js';
import { orSkip, type Skip } from './import-skips.js';

interface SanitizeOptions {
  readonly source: IconSource;
  readonly sanitizer: Sanitizer;
  readonly policy: CatalogPolicy;
  readonly skip: Skip;
  readonly hasGlyph: HasGlyph;
}

/** Whether an icon of this key and title was imported in one color before: then none need be derived. */
export type HasGlyph = (key: string, title: string) => boolean;

export async function sanitizeIcons(
  icons: readonly SourceIcon[],
  { source, sanitizer, policy, skip, hasGlyph }: SanitizeOptions,
): Promise<{ candidates: Candidate[]; assets: Asset[] }> {
  const outcomes = await sanitizer.sanitize(
    icons.flatMap(({ drawings }) => drawings.map(({ svg }) => svg)),
    source.kind === 'set'
      ? []
      : icons.flatMap((icon) => derivations(icon, source.isOverride === true ? () => false : hasGlyph)),
  );
  const candidates: Candidate[] = [];
  const assets = new Map<string, string>();
  let at = 0;
  for (const icon of icons) {
    const own = outcomes.slice(at, at + icon.drawings.length);
    at += icon.drawings.length;
    orSkip(
      () => {
        const variants = variantsOf(icon, own, { source, keep: (etag, svg) => assets.set(etag, svg), skip });
        const decision = decideLicense(policy, icon.license);
        if (variants.length === 0 || !decision.allowed) return;
        const setIcon = setIconOf(icon, own, { variants, keep: (etag, body) => assets.set(etag, body) });
        candidates.push({
          ...factsOf(icon),
          license: decision.license,
          variants,
          ...(setIcon && { setIcon }),
          ...(icon.hidden && { hidden: true }),
        });
      },
      (message) => skip(icon.key, 'failed', message),
    );
  }
  return { candidates, assets: [...assets].map(([etag, svg]) => ({ etag, svg })) };
}

/** A source's own drawing in one color, or for one page, is better than one derived from another. */
function derivations({ key, title, drawings }: SourceIcon, hasGlyph: HasGlyph): readonly Derivation[] {
  const names = new Set(drawings.map(({ name }) => name));
  const isPart = /-(?:dark|light|mono)$/.test(key);
  const wantsMono = !isPart && !names.has('mono') && !hasGlyph(key, title);
  return drawings.map(({ name }) => {
    if (name === 'mono' || name === 'light' || name === 'dark') return 'look';
    if (name === 'wordmark') return 'grounds';
    if (!MARKS.has(name)) return 'nothing';
    if (wantsMono) return 'all';
    return isPart || names.has('dark') ? 'look' : 'grounds';
  });
}

const MARKS = new Set(['default', 'icon', 'color']);

function factsOf({
  key,
  title,
  titleGuessed,
  aliases,
  categories,
  hex,
  domains,
  website,
  origin,
  guidelines,
}: SourceIcon): Omit<Candidate, 'license' | 'variants'> {
  return {
    key,
    title,
    titleGuessed,
    aliases,
    categories,
    hex: hex === null ? null : (brandHex(hex) ?? null),
    ...(domains !== undefined && domains.length > 0 && { domains }),
    website,
    origin,
    guidelines,
  };
}

/** With the content hash in the place of the sanitized body; where that is the drawing's, it is not kept twice. */
function setIconOf(
  { setIcon }: SourceIcon,
  [outcome]: readonly SanitizeOutcome[],
  { variants, keep }: { readonly variants: readonly CandidateVariant[]; readonly keep: VariantOptions['keep'] },
): SetIcon | undefined {
  if (setIcon === undefined || setIcon.body === null || outcome?.ok !== true) return setIcon;
  const body = iconBody({ ...setIcon, body: setIcon.body }, outcome);
  if (body === undefined) return undefined;
  // The drawing of the one variant that its source has.
  const drawn = variants.find(({ name }) => name === 'default');
  if (drawn !== undefined && body === innerSvg(outcome.svg)) return { ...setIcon, body: drawn.etag, isDrawing: true };
  const etag = assetKey(body);
  keep(etag, body);
  return { ...setIcon, body: etag };
}

interface VariantOptions {
  readonly source: IconSource;
  readonly keep: (etag: string, svg: string) => void;
  readonly skip: Skip;
}

/** Adds a black `mono` to what can be had in one color, and paints glyphs and plain black marks in the brand's. */
function variantsOf(
  icon: SourceIcon,
  outcomes: readonly SanitizeOutcome[],
  { source, keep, skip }: VariantOptions,
): CandidateVariant[] {
  const variants: CandidateVariant[] = [];
  const put = (variant: CandidateVariant, { svg, painted }: Pick<CleanDrawing, 'svg' | 'painted'>) => {
    keep(variant.etag, svg);
    if (variant.painted !== undefined && painted !== undefined) keep(variant.painted, painted);
    variants.push(variant);
  };
  const add = (name: string, drawing: CleanDrawing) => {
    if (variants.some((known) => known.name === name)) return;
    const variant = variantOfDrawing(name, drawing);
    put(variant, drawing);
    for (const role of ['mono', 'light', 'dark'] as const) {
      const derived = drawing.derived[role];
      if (derived !== undefined) put(derivedVariant(variant, role, derived), derived);
    }
  };
  const hex = icon.hex === null ? undefined : brandHex(icon.hex);
  const clean = new Map<string, CleanDrawing>();
  icon.drawings.forEach(({ name }, index) => {
    const outcome = outcomes[index];
    if (outcome?.ok === true) clean.set(name, outcome);
    else
      skip(
        icon.drawings.length === 1 ? icon.key : `${icon.key}/${name}`,
        outcome?.reason ?? 'undrawable',
        outcome?.message ?? 'no answer from the sanitizer',
      );
  });
  for (const [name, drawing] of clean) {
    if (name === 'mono' && drawing.recolorable) add(name, repaint(drawing, '#000000'));
    else if (hex !== undefined && isToPaint(source, name, { drawing, hex }))
      add(name, repaint(drawing, glyphPaint(hex)));
    else add(name, drawing);
  }
  const glyph = clean.get('default');
  if (source.kind !== 'set' && glyph?.recolorable === true && !clean.has('mono'))
    add('mono', repaint(glyph, '#000000'));
  return variants;
}

function isToPaint(
  { kind }: IconSource,
  name: string,
  { drawing, hex }: { readonly drawing: CleanDrawing; readonly hex: string },
): boolean {
  if (kind === 'glyphs') return drawing.recolorable;
  return kind === 'brands' && MARKS.has(name) && isPlainBlack(drawing) && !isAchromatic(hex);
}
