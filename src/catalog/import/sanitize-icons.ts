// Sanitizes a batch of icons. Returns their candidates, and their drawings with content hashes.
import type { Candidate, CandidateVariant } from './candidate.js';
import { SYMBOLS } from './choose-variants.js';
import {
  drawingEtag,
  brandHex,
  derivedVariant,
  glyphPaint,
  isAchromatic,
  isPlainBlack,
  repaint,
  variantOfDrawing,
  type CleanDrawing,
  type Derivation,
} from '../drawing.js';
import type { License } from '../entry.js';
import { nameKey } from '../names.js';
import type { SetIcon } from '../set-icon.js';
import { iconBody, innerSvg } from '../icon-body.js';
import type { IconSource, SourceIcon } from './catalog-sources.js';
import type { StoredDrawing } from '../catalog-store.js';
import type { RejectedDrawing } from '../../platform/drawing-rejections.js';
import { rejectionText } from '../rejection-text.js';
import type { SanitizeOutcome, Sanitizer } from '../sanitizer.js';
import { skipOnError, type Skip } from './import-skips.js';

export interface LicensedIcon extends SourceIcon {
  readonly license: License;
}

interface SanitizeOptions {
  readonly source: IconSource;
  readonly sanitizer: Sanitizer;
  readonly skip: Skip;
  /**
   * Keys and titles of the glyphs imported so far, each normalized by `nameKey`. No one-color drawing is derived for a
   * brand with a glyph.
   */
  readonly glyphs: ReadonlySet<string>;
}

export async function sanitizeIcons(
  icons: readonly LicensedIcon[],
  { source, sanitizer, skip, glyphs }: SanitizeOptions,
): Promise<{ candidates: Candidate[]; drawings: StoredDrawing[] }> {
  // A drawing may get a second SVG for PNG and WebP, with bitmaps instead of blurs. An icon of an Iconify set gets
  // none, because a second SVG saves no time at the sizes of icons. For a set with blurs in every icon, making these
  // SVGs would take ten minutes (ADR 9).
  const ofSet = source.iconSet === undefined ? 'painted' : 'nothing';
  const outcomes = await sanitizer.sanitize(
    icons.flatMap(({ drawings }) => drawings.map(({ svg }) => svg)),
    source.kind === 'set'
      ? icons.flatMap(({ drawings }) => drawings.map(() => ofSet))
      : icons.flatMap((icon) => derivations(icon, source.isOverride !== true && hasGlyph(icon, glyphs))),
  );
  const candidates: Candidate[] = [];
  const drawings = new Map<string, string>();
  const keep: Keep = (etag, text) => void drawings.set(etag, text);
  let at = 0;
  for (const icon of icons) {
    const { drawings, setIcon, ...facts } = icon;
    const own = outcomes.slice(at, at + drawings.length);
    at += drawings.length;
    skipOnError(
      () => {
        const hex = icon.hex === null ? null : (brandHex(icon.hex) ?? null);
        const clean = cleanDrawings(icon, own, skip);
        const variants = variantsOf(clean, { hex, kind: source.kind, keep });
        if (variants.length === 0) return;
        const stored = setIconOf(setIcon, own[0], { variants, keep });
        candidates.push({ ...facts, hex, variants, ...(stored && { setIcon: stored }) });
      },
      (message) => skip(icon.key, 'failed', message),
    );
  }
  return { candidates, drawings: [...drawings].map(([etag, svg]) => ({ etag, svg })) };
}

const NO_OUTCOME: RejectedDrawing = { ok: false, reason: 'undrawable', message: 'the sanitizer did not respond' };

type Keep = (etag: string, text: string) => void;

function hasGlyph({ key, title }: SourceIcon, glyphs: ReadonlySet<string>): boolean {
  return [key, key.replace(/-(?:icon|badge)$/, ''), title].some((name) => glyphs.has(nameKey(name)));
}

/**
 * Returns what to derive from each drawing. If the source itself provides a variant such as `mono`, this variant is not
 * derived, because the source's own drawing is better.
 */
function derivations({ key, drawings }: SourceIcon, isGlyph: boolean): readonly Derivation[] {
  const names = new Set(drawings.map(({ name }) => name));
  const isPart = /-(?:dark|light|mono)$/.test(key);
  const wantsMono = !isPart && !names.has('mono') && !isGlyph;
  return drawings.map(({ name }) => {
    if (name === 'mono' || name === 'light' || name === 'dark') return 'look';
    if (name === 'wordmark') return 'backgrounds';
    if (!SYMBOLS.has(name)) return 'painted';
    if (wantsMono) return 'all';
    return isPart || names.has('dark') ? 'look' : 'backgrounds';
  });
}

/**
 * Replaces the body of the icon with the content hash of its sanitized body. A body that is equal to the content of the
 * drawing is not stored again.
 */
function setIconOf(
  setIcon: SetIcon | undefined,
  outcome: SanitizeOutcome | undefined,
  { variants, keep }: { readonly variants: readonly CandidateVariant[]; readonly keep: Keep },
): SetIcon | undefined {
  if (typeof setIcon?.body !== 'string' || outcome?.ok !== true) return setIcon;
  const body = iconBody({ ...setIcon, body: setIcon.body }, outcome);
  if (body === undefined) return undefined;
  // Icons of an Iconify set have one drawing, named `default`.
  const drawn = variants.find(({ name }) => name === 'default');
  if (drawn !== undefined && body === innerSvg(outcome.svg)) return { ...setIcon, body: drawn.etag, isDrawing: true };
  const etag = drawingEtag(body);
  keep(etag, body);
  return { ...setIcon, body: etag };
}

/** Returns the accepted drawings, by their names in the source. Reports the rejected drawings. */
function cleanDrawings(
  { key, drawings }: SourceIcon,
  outcomes: readonly SanitizeOutcome[],
  skip: Skip,
): ReadonlyMap<string, CleanDrawing> {
  const clean = new Map<string, CleanDrawing>();
  drawings.forEach(({ name, rejected: undecoded }, index) => {
    const outcome = undecoded ?? outcomes[index];
    if (outcome?.ok === true) clean.set(name, outcome);
    else {
      const rejected = outcome ?? NO_OUTCOME;
      const path = drawings.length === 1 ? key : `${key}/${name}`;
      skip(path, rejected.reason, rejectionText(rejected), { icon: key, variant: name, rejected });
    }
  });
  return clean;
}

interface VariantOptions {
  readonly hex: string | null;
  readonly kind: IconSource['kind'];
  readonly keep: Keep;
}

/**
 * Makes the variants of an icon's drawings. Paints glyphs and plain black symbols in the brand's color. If `default`
 * has one color, adds a black `mono`.
 */
function variantsOf(
  clean: ReadonlyMap<string, CleanDrawing>,
  { hex, kind, keep }: VariantOptions,
): readonly CandidateVariant[] {
  const variants: CandidateVariant[] = [];
  const put = (variant: CandidateVariant, { svg, painted }: Pick<CleanDrawing, 'svg' | 'painted'>): void => {
    keep(variant.etag, svg);
    if (variant.painted !== undefined && painted !== undefined) keep(variant.painted, painted);
    variants.push(variant);
  };
  const add = (name: string, drawing: CleanDrawing): void => {
    const variant = variantOfDrawing(name, drawing);
    put(variant, drawing);
    for (const role of ['mono', 'light', 'dark'] as const) {
      const derived = drawing.derived[role];
      if (derived !== undefined) put(derivedVariant(variant, role, derived), derived);
    }
  };
  for (const [name, drawing] of clean) {
    if (name === 'mono' && drawing.recolorable) add(name, repaint(drawing, '#000000'));
    else if (hex !== null && isToPaint(kind, name, { drawing, hex })) add(name, repaint(drawing, glyphPaint(hex)));
    else add(name, drawing);
  }
  const glyph = clean.get('default');
  if (kind !== 'set' && glyph?.recolorable === true && !clean.has('mono')) add('mono', repaint(glyph, '#000000'));
  return variants;
}

function isToPaint(
  kind: IconSource['kind'],
  name: string,
  { drawing, hex }: { readonly drawing: CleanDrawing; readonly hex: string },
): boolean {
  if (kind === 'glyphs') return drawing.recolorable;
  return kind === 'brands' && SYMBOLS.has(name) && isPlainBlack(drawing) && !isAchromatic(hex);
}
