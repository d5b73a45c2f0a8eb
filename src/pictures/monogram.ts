// Monogram for an unknown slug, domain or name. It shows the initials as outlines, so that the server needs no fonts.
import { createHash } from 'node:crypto';
import { clampChroma, formatHex } from 'culori';
import type { Slug } from '../catalog/entry.js';
import type { MissingKind } from '../platform/not-found.js';
import { WHITE, contrast, type Color } from '../platform/text/color.js';
import { GLYPHS } from './glyphs.js';

/** Side of the square on which monograms are drawn, px. */
export const MONOGRAM_SIDE = 256;
/** Minimum contrast of text, WCAG 2, section 1.4.3. */
const READABLE_CONTRAST = 4.5;

/**
 * Sizes as shares of the square's side. `capital`: height of capital letters. `most`: maximum width and height of the
 * letters together.
 */
const ONE_LETTER = { capital: 0.52, most: 0.74 };
const TWO_LETTERS = { capital: 0.42, most: 0.74 };
/**
 * Change of the distance between two letters, in units of the outlines. It is negative, because large text looks better
 * with smaller distances.
 */
const TRACKING = -3;

export interface Monogram {
  readonly kind: MissingKind;
  /** The unknown name. It determines the color of the background. */
  readonly name: string;
  /** At most two capital letters or digits that have an outline. If empty, a globe is drawn. */
  readonly letters: string;
}

/** Returns the monogram of a slug: one letter, or two if the slug has several words. */
export function monogramOfSlug(slug: Slug): Monogram {
  return { kind: 'slug', name: slug, letters: initials(slug) };
}

/**
 * Returns the monogram of a domain: the first letter of its name, or two letters if the name has several words.
 * `registrable`: domain in ASCII. `unicode`: domain in readable form.
 */
export function monogramOfDomain(registrable: string, unicode: string): Monogram {
  const [label = ''] = unicode.split('.', 1);
  return { kind: 'domain', name: registrable, letters: initials(label) };
}

/** Returns the monogram of a brand's name, in any script: one letter, or two if the name has several words. */
export function monogramOfName(name: string): Monogram {
  return { kind: 'name', name, letters: initials(name) };
}

/**
 * Maximum number of characters of a name that are read, because Unicode normalization takes quadratic time for a run of
 * combining marks.
 */
const MAX_READ = 300;

/**
 * Returns the initials of the first two words. The initial of a word is its first letter or digit that has an outline.
 * For example, the initial of 東京24 is 2.
 */
function initials(name: string): string {
  const words = name
    .slice(0, MAX_READ)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  const found = words.slice(0, 2).flatMap((word) => Array.from(word.normalize('NFC'), letterOf).find(Boolean) ?? []);
  return found.join('');
}

/**
 * Returns a form of the character that has an outline: the character itself, its capital, or the capital without
 * accents.
 */
function letterOf(character: string): string | undefined {
  const capital = character.toUpperCase();
  const forms = [character, capital, ...Array.from(capital.normalize('NFKD').toUpperCase()).slice(0, 1)];
  return forms.find((form) => GLYPHS[form] !== undefined);
}

interface Glyph {
  readonly before: number;
  readonly width: number;
  readonly behind: number;
  readonly center: readonly [number, number];
  readonly path: string;
}

function glyphOf(letter: string): Glyph {
  const outline = GLYPHS[letter] ?? '';
  const start = outline.indexOf('M');
  const [before = 0, width = 0, behind = 0, x = 0, y = 0] = outline.slice(0, start).split(' ').map(Number);
  return { before, width, behind, center: [x, y], path: outline.slice(start) };
}

/** Returns the drawing of a monogram. Its only paint is `currentColor`. */
export function monogramSvg({ letters }: Pick<Monogram, 'letters'>): string {
  const glyphs = Array.from(letters, glyphOf);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MONOGRAM_SIDE} ${MONOGRAM_SIDE}">` +
    `${glyphs.length === 0 ? GLOBE : lettering(glyphs)}</svg>`
  );
}

function lettering(glyphs: readonly Glyph[]): string {
  let x = 0;
  const places = glyphs.map((glyph, at) => {
    if (at > 0) x += (glyphs[at - 1]?.behind ?? 0) + glyph.before + TRACKING;
    const left = x;
    x += glyph.width;
    return { left, glyph };
  });
  const { capital, most } = glyphs.length === 1 ? ONE_LETTER : TWO_LETTERS;
  const [first] = glyphs;
  const [centerX, centerY] = glyphs.length === 1 && first ? first.center : [x / 2, CAPITAL / 2];
  // Height of the smallest box that has this optical center and contains the baseline and the top of capital letters.
  // The optical center of a letter with an accent is not halfway between these lines.
  const height = 2 * Math.max(CAPITAL - centerY, centerY);
  const scale = Math.min(MONOGRAM_SIDE * capital, (MONOGRAM_SIDE * most * CAPITAL) / Math.max(x, height)) / CAPITAL;
  const [left, top] = [MONOGRAM_SIDE / 2 - centerX * scale, MONOGRAM_SIDE / 2 - centerY * scale];
  const paths = places.map(
    ({ left: at, glyph }) => `<path transform="translate(${decimal(at)} 0)" d="${glyph.path}"/>`,
  );
  return `<g fill="currentColor" transform="translate(${decimal(left)} ${decimal(top)}) scale(${decimal(scale)})">${paths.join('')}</g>`;
}

/** Height of capital letters, in units of the outlines. */
const CAPITAL = 100;

/** Drawing that replaces the letters if the name is in a writing system for which there are no letter outlines. */
const GLOBE =
  '<path fill="none" stroke="currentColor" stroke-width="13" d="M54 128a74 74 0 1 0 148 0a74 74 0 1 0-148 0zM54 128h148' +
  'M128 54c-46 44-46 104 0 148c46-44 46-104 0-148z"/>';

function decimal(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * Hues of the backgrounds in OKLCH, degrees. Other hues look muddy at a lightness on which white letters are readable.
 */
const HUES = { from: 130, count: 45, step: 6.5 };
const CHROMA = 0.17;

/** Returns the background color of a monogram. It depends only on the name, and is dark enough for white letters. */
export function monogramBackground({ name }: Pick<Monogram, 'name'>): Color {
  const at = createHash('sha256').update(name).digest().readUInt16BE(0) % HUES.count;
  const known = backgrounds[at] ?? readableBackground(HUES.from + at * HUES.step);
  backgrounds[at] = known;
  return known;
}

/** Index of a hue → its background color. Filled on demand. */
const backgrounds: Color[] = [];

/**
 * Returns the lightest color of this hue on which white is readable. The colors of all hues are about equally light and
 * visible on light and dark pages.
 */
function readableBackground(hue: number): Color {
  for (let lightness = 0.65; ; lightness -= 0.005) {
    const color = formatHex(clampChroma({ mode: 'oklch', l: lightness, c: CHROMA, h: hue }, 'oklch'));
    const background = `${color.slice(1)}ff` as Color;
    if (contrast(background, WHITE) >= READABLE_CONTRAST) return background;
  }
}
