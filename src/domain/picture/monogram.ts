// Monogram of an unknown slug or domain: initials as strokes, so that the server needs no fonts.
import { createHash } from 'node:crypto';
import { formatHex } from 'culori';
import type { Slug } from '../catalog/entry.js';
import type { MissingKind } from '../metering/missing-names.js';
import { WHITE, contrast, type Color } from '../text/color.js';
import { GLYPH, letteringSvg, letteringWidth } from './lettering.js';

/** Side of the square that monograms are drawn on. */
export const MONOGRAM_SIDE = 256;
/** Contrast of text, WCAG 2, section 1.4.3. */
const READABLE_CONTRAST = 4.5;
const SATURATION = 0.6;

/** Picture in the place of one that is unknown. */
export interface Monogram {
  readonly kind: MissingKind;
  /** Decides the background. */
  readonly name: string;
  /** Letters `a` to `z` and digits, at most two; none: the background alone. */
  readonly letters: string;
}

/** One letter, or two when the slug has several words. */
export function monogramOfSlug(slug: Slug): Monogram {
  return { kind: 'slug', name: slug, letters: initials(slug) };
}

/**
 * The first letter of the domain's name, without its accent. `registrable` is ASCII, `unicode` the same as people read
 * it. What has no glyph is skipped, so that a name in another script has no letter.
 */
export function monogramOfDomain(registrable: string, unicode: string): Monogram {
  const [label = ''] = unicode.split('.', 1);
  const letters = /[a-z0-9]/.exec(label.normalize('NFKD').toLowerCase())?.[0] ?? '';
  return { kind: 'domain', name: registrable, letters };
}

function initials(slug: Slug): string {
  return slug
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('');
}

/** A drawing with `currentColor` in the place of its one paint. */
export function monogramSvg({ letters: text }: Pick<Monogram, 'letters'>): string {
  const scale = text.length === 1 ? 1.2 : 1;
  const left = (MONOGRAM_SIDE - letteringWidth(text) * scale) / 2;
  const top = (MONOGRAM_SIDE - GLYPH.height * scale) / 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MONOGRAM_SIDE} ${MONOGRAM_SIDE}">` +
    `${letteringSvg(text, { left, top, scale })}</svg>`
  );
}

/** Background of a monogram: always the same for a name, and dark enough for white letters. */
export function monogramBackground({ name }: Pick<Monogram, 'name'>): Color {
  const hue = createHash('sha256').update(name).digest().readUInt16BE(0) % 360;
  let lightness = 0.5;
  let color = hslColor(hue, lightness);
  while (contrast(color, WHITE) < READABLE_CONTRAST) {
    lightness -= 0.02;
    color = hslColor(hue, lightness);
  }
  return color;
}

function hslColor(hue: number, lightness: number): Color {
  return `${formatHex({ mode: 'hsl', h: hue, s: SATURATION, l: lightness }).slice(1)}ff` as Color;
}
