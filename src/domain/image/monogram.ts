// Monogram of an unknown slug or domain: initials as strokes, so that the server needs no fonts.
import { createHash } from 'node:crypto';
import type { Slug } from '../catalog/entry.js';
import { WHITE, contrast, type Color } from '../color.js';

/** Each glyph on a cell 60 wide and 100 high, drawn with a round pen. */
const GLYPHS: Readonly<Record<string, string>> = {
  a: 'M0 100 30 0 60 100M11 65H49',
  b: 'M0 0H30A24 24 0 0 1 30 48H0M30 48H34A26 26 0 0 1 34 100H0V0',
  c: 'M60 30A30 30 0 0 0 0 30V70A30 30 0 0 0 60 70',
  d: 'M0 0H20A40 40 0 0 1 60 40V60A40 40 0 0 1 20 100H0Z',
  e: 'M56 0H2V100H56M2 50H48',
  f: 'M58 0H4V100M4 50H48',
  g: 'M60 28A30 30 0 0 0 0 30V70A30 30 0 0 0 60 70V54H36',
  h: 'M0 0V100M60 0V100M0 50H60',
  i: 'M14 0H46M30 0V100M14 100H46',
  j: 'M56 0V70A27 27 0 0 1 2 70',
  k: 'M2 0V100M58 0 2 58M22 40 60 100',
  l: 'M6 0V100H58',
  m: 'M0 100V0L32 52 64 0V100',
  n: 'M0 100V0L60 100V0',
  o: 'M0 30A30 30 0 0 1 60 30V70A30 30 0 0 1 0 70Z',
  p: 'M2 100V0H32A27 27 0 0 1 32 54H2',
  q: 'M0 30A30 30 0 0 1 60 30V70A30 30 0 0 1 0 70ZM38 76 62 102',
  r: 'M2 100V0H32A27 27 0 0 1 32 54H2M32 54 60 100',
  s: 'M58 25A25 25 0 0 0 33 0H27A25 25 0 0 0 27 50H33A25 25 0 0 1 33 100H27A25 25 0 0 1 2 75',
  t: 'M0 0H60M30 0V100',
  u: 'M0 0V70A30 30 0 0 0 60 70V0',
  v: 'M0 0 30 100 60 0',
  w: 'M-8 0 12 100 30 36 48 100 68 0',
  x: 'M0 0 60 100M60 0 0 100',
  y: 'M0 0 30 48 60 0M30 48V100',
  z: 'M2 0H58L2 100H58',
  0: 'M0 30A30 30 0 0 1 60 30V70A30 30 0 0 1 0 70ZM40 30 20 70',
  1: 'M8 22 32 0V100M8 100H56',
  2: 'M2 28A28 28 0 0 1 58 28C58 52 30 66 2 100H60',
  3: 'M4 0H56L28 42A29 29 0 1 1 4 87',
  4: 'M46 100V0L0 70H60',
  5: 'M54 0H8L4 46C12 40 20 38 30 38A31 31 0 0 1 30 100H26A26 26 0 0 1 2 84',
  6: 'M48 0C20 18 0 44 0 70A30 30 0 1 0 30 40A30 30 0 0 0 0 70',
  7: 'M0 0H60L22 100',
  8: 'M30 48A24 24 0 1 1 30 0A24 24 0 1 1 30 48A26 26 0 1 1 30 100A26 26 0 1 1 30 48',
  9: 'M12 100C40 82 60 56 60 30A30 30 0 1 0 30 60A30 30 0 0 0 60 30',
};

/** Side of the square that monograms are drawn on. */
export const MONOGRAM_SIDE = 256;
const GLYPH = { width: 60, height: 100, gap: 30, penWidth: 14 };
/** Of text, WCAG 2, section 1.4.3. */
const READABLE_CONTRAST = 4.5;
const SATURATION = 0.6;

/** What is drawn in the place of a picture that is unknown. */
export interface Monogram {
  /** Decides the background. */
  readonly name: string;
  /** Letters `a` to `z` and digits, at most two; none: the background alone. */
  readonly letters: string;
}

/** One letter, or two when the slug has several words. */
export function monogramOfSlug(slug: Slug): Monogram {
  return { name: slug, letters: initials(slug) };
}

/**
 * The first letter of the domain's name, without its accent. `registrable` is ASCII, `unicode` the same as people read
 * it. What has no glyph is skipped, so that a name in another script has no letter.
 */
export function monogramOfDomain(registrable: string, unicode: string): Monogram {
  const [label = ''] = unicode.split('.', 1);
  const letters = /[a-z0-9]/.exec(label.normalize('NFKD').toLowerCase())?.[0] ?? '';
  return { name: registrable, letters };
}

function initials(slug: Slug): string {
  return slug
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('');
}

/** An asset with `currentColor` in the place of its one paint. */
export function monogramSvg({ letters: text }: Pick<Monogram, 'letters'>): string {
  const letters = Array.from(text);
  const scale = letters.length === 1 ? 1.2 : 1;
  const width = letters.length * GLYPH.width + (letters.length - 1) * GLYPH.gap;
  const left = (MONOGRAM_SIDE - width * scale) / 2;
  const top = (MONOGRAM_SIDE - GLYPH.height * scale) / 2;
  const glyphs = letters.map(
    (letter, index) =>
      `<path transform="translate(${index * (GLYPH.width + GLYPH.gap)} 0)" d="${GLYPHS[letter] ?? ''}"/>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MONOGRAM_SIDE} ${MONOGRAM_SIDE}">` +
    `<g fill="none" stroke="currentColor" stroke-width="${GLYPH.penWidth}" ` +
    'stroke-linecap="round" stroke-linejoin="round" ' +
    `transform="translate(${left} ${top}) scale(${scale})">${glyphs.join('')}</g></svg>`
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

/** CSS Color 4, section 7.1; hue in degrees, lightness 0..1. Not culori's, whose rounding differs for some hues. */
function hslColor(hue: number, lightness: number): Color {
  const channel = (n: number): string => {
    const k = (n + hue / 30) % 12;
    const value = lightness - SATURATION * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `${channel(0)}${channel(8)}${channel(4)}ff` as Color;
}
