// Generates src/pictures/glyphs.ts from fonts: outlines of letters for monograms. `npm run docs` calls it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type Path } from 'fontkit';
import { decompress } from 'wawoff2';

/** Weight of the font, between semi-bold (600) and bold (700). Heavy letters are readable at small sizes. */
const WEIGHT = 650;
/** Height of capital letters, in units of the outlines. */
const CAPITAL = 100;
/**
 * Position of the optical center of a letter between the center of its box (0) and its center of mass (1). An L has
 * most of its area on the left, so this position moves an L to the right.
 */
const OPTICAL = 0.4;

interface Script {
  readonly font: string;
  readonly letters: string;
  /**
   * True if all letters are on one baseline, even letters with a tail. If missing, each letter is centered
   * individually.
   */
  readonly isLined?: true;
}

const INTER = '@fontsource-variable/inter/files/inter';
const NOTO = '@fontsource-variable/noto-sans';
const range = (from: string, to: string) => {
  const [first = 0, last = 0] = [from.codePointAt(0), to.codePointAt(0)];
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('');
};

const SCRIPTS: readonly Script[] = [
  { font: `${INTER}-latin`, letters: `${range('0', '9')}${range('A', 'Z')}ÆÐØÞŒ`, isLined: true },
  { font: `${INTER}-latin-ext`, letters: 'ĐĦŁŊ', isLined: true },
  { font: `${INTER}-greek`, letters: 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ', isLined: true },
  { font: `${INTER}-cyrillic`, letters: `ЁЂЄІЇЈЉЊЋЎЏҐ${range('А', 'Я')}`, isLined: true },
  { font: `${NOTO}-hebrew/files/noto-sans-hebrew-hebrew`, letters: range('א', 'ת') },
  { font: `${NOTO}-arabic/files/noto-sans-arabic-arabic`, letters: `${range('ء', 'غ')}${range('ف', 'ي')}پچژکگیٹڈڑ` },
  { font: `${NOTO}-devanagari/files/noto-sans-devanagari-devanagari`, letters: `${range('अ', 'औ')}${range('क', 'ह')}` },
  { font: `${NOTO}-thai/files/noto-sans-thai-thai`, letters: range('ก', 'ฮ') },
];

export const GLYPH_PACKAGES: readonly string[] = [
  ...new Set(SCRIPTS.map(({ font }) => font.split('/').slice(0, 2).join('/'))),
];

/** Returns the TypeScript file, formatted like oxfmt does. */
export async function glyphOutlines(): Promise<string> {
  const lines: string[] = [];
  for (const script of SCRIPTS) {
    const font = await openFont(script.font);
    for (const letter of script.letters)
      if (font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
        lines.push(`  ${letter}: '${outline(font, letter, script)}',`);
  }
  return `// Outlines of letters and digits. Written by \`npm run docs\` from ${GLYPH_PACKAGES.length} fonts under the SIL Open Font License 1.1
// (scripts/glyph-outlines.ts), which NOTICE names.

/**
 * Six fields: space before the ink, its width, space behind it, the optical center (x, y), and the path, whose ink begins at x = 0.
 * Capital letters are 100 units high, from y = 0 to the baseline.
 */
export const GLYPHS: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`;
}

async function openFont(name: string): Promise<Font> {
  const path = createRequire(import.meta.url).resolve(`${name}-wght-normal.woff2`);
  // The library `fontkit` only reads variation axes of uncompressed fonts.
  const font = create(Buffer.from(await decompress(readFileSync(path))));
  if (!('getVariation' in font)) throw new Error(`${name} is a collection of fonts`);
  return font.getVariation({ wght: WEIGHT });
}

function outline(font: Font, letter: string, { isLined }: Script): string {
  const glyph = font.glyphForCodePoint(letter.codePointAt(0) ?? 0);
  const { minX, maxX, minY, maxY } = glyph.bbox;
  const scale = CAPITAL / font.capHeight;
  const place = (x: number, y: number): string =>
    `${decimal((x - minX) * scale)} ${decimal((font.capHeight - y) * scale)}`;
  const width = (maxX - minX) * scale;
  const top = (font.capHeight - maxY) * scale;
  const bottom = (font.capHeight - minY) * scale;
  // Vertical center of the letter. If `isLined`, it is halfway between the baseline and the height of capitals, or the
  // top of an accent above them. A tail below the baseline is ignored.
  const y = isLined ? (CAPITAL + Math.min(0, top > -5 ? 0 : top)) / 2 : (top + bottom) / 2;
  const x = width / 2 + OPTICAL * ((centroid(glyph.path) - minX) * scale - width / 2);
  const fields = [minX * scale, width, (glyph.advanceWidth - maxX) * scale, x, y];
  return `${fields.map(decimal).join(' ')} ${pathText(glyph.path, place)}`;
}

const LETTERS = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' } as const;

function pathText({ commands }: Path, place: (x: number, y: number) => string): string {
  return commands
    .map(
      ({ command, args }) =>
        LETTERS[command] +
        pairs(args)
          .map(([x, y]) => place(x, y))
          .join(' '),
    )
    .join('');
}

/** Returns the horizontal center of mass of an outline. Curves count as straight lines, which is precise enough. */
function centroid({ commands }: Path): number {
  let [area, moment] = [0, 0];
  let begin: Point = [0, 0];
  let from: Point = begin;
  const edge = (to: Point): void => {
    const cross = from[0] * to[1] - to[0] * from[1];
    area += cross;
    moment += (from[0] + to[0]) * cross;
    from = to;
  };
  for (const { command, args } of commands) {
    if (command === 'moveTo') begin = from = pairs(args)[0] ?? begin;
    else if (command === 'closePath') edge(begin);
    else pairs(args).forEach(edge);
  }
  return moment / (3 * area);
}

type Point = readonly [number, number];

function pairs(values: readonly number[]): Point[] {
  return Array.from({ length: values.length / 2 }, (_, at) => [values[2 * at] ?? 0, values[2 * at + 1] ?? 0]);
}

function decimal(value: number): string {
  return String(Math.round(value * 10) / 10 || 0);
}
