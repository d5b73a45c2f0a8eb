// Lettering of contact sheets, drawn as strokes without fonts.

/** Paths of glyphs, in cells of 60 × 100 units, for strokes with round ends. */
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
  '-': 'M8 54H52',
  '.': 'M28 100H32',
  _: 'M0 100H60',
  '+': 'M4 54H56M30 28V80',
  '/': 'M0 100 60 0',
};

export const GLYPH = { width: 60, height: 100, gap: 30, penWidth: 14 };

interface Place {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Returns text as an SVG group, painted with `currentColor`. Characters except a-z, 0-9 and `-._+/` become gaps. */
export function letteringSvg(text: string, { left, top, scale }: Place): string {
  const glyphs = Array.from(text, (letter, index) =>
    GLYPHS[letter] === undefined
      ? ''
      : `<path transform="translate(${index * (GLYPH.width + GLYPH.gap)} 0)" d="${GLYPHS[letter]}"/>`,
  );
  return (
    `<g fill="none" stroke="currentColor" stroke-width="${GLYPH.penWidth}" ` +
    'stroke-linecap="round" stroke-linejoin="round" ' +
    `transform="translate(${left} ${top}) scale(${scale})">${glyphs.join('')}</g>`
  );
}
