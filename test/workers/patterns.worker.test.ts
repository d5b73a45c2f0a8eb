// Patterns in a drawing: they are at the right position at every scale.
import { expect } from 'chai';
import type { Size } from '../../workers/rasterize/device-scale.js';
import { withPatternBitmaps } from '../../workers/rasterize/pattern-tiles.js';
import { pixelsOf } from '../../workers/rasterize/svg-pixels.js';
import type { Pixels } from '../../workers/pixels.js';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const PX = 256;

/** Returns the alpha values of one row of pixels. The viewBox has a width of 100 units. */
async function row(body: string, at: number): Promise<readonly number[]> {
  return (await rows(body)).slice(at * PX, (at + 1) * PX);
}

/** Returns the alpha values of all pixels, row by row. */
async function rows(body: string): Promise<readonly number[]> {
  const svg = `<svg ${NS} width="${PX}" height="${PX}" viewBox="0 0 100 100">${body}</svg>`;
  const { bytes } = await pixelsOf({ svg, width: PX, height: PX });
  return Array.from({ length: PX * PX }, (_, at) => bytes[at * 4 + 3] ?? 0);
}

/** Shapes that look like the pattern: stripes of 2.5 units, one every 5 units. */
const STRIPES = Array.from({ length: 22 }, (_, at) => `<path d="M${at * 5 - 5} 0h2.5v100h-2.5z"/>`).join('');
const CONTENT = '<path d="M0 0h2.5v5H0z"/>';

const PATTERNS: readonly (readonly [name: string, pattern: string, attributes?: string])[] = [
  ['units of the drawing', `<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse">${CONTENT}</pattern>`],
  ['objectBoundingBox units', `<pattern id="p" width=".05" height=".05">${CONTENT}</pattern>`],
  [
    'content in objectBoundingBox units',
    '<pattern id="p" width=".05" height=".05" patternContentUnits="objectBoundingBox"><path d="M0 0h.025v.05H0z"/></pattern>',
  ],
  [
    'a viewBox',
    '<pattern id="p" viewBox="0 0 2 2" width="5" height="5" patternUnits="userSpaceOnUse"><path d="M0 0h1v2H0z"/></pattern>',
  ],
  ['an offset', `<pattern id="p" x="10" y="3" width="5" height="5" patternUnits="userSpaceOnUse">${CONTENT}</pattern>`],
  [
    'transforms',
    '<pattern id="p" width="2.5" height="2.5" patternUnits="userSpaceOnUse" patternTransform="scale(4)"><path d="M0 0h1.25v2.5H0z"/></pattern>',
    'transform="scale(.5)"',
  ],
  [
    'a pattern in a pattern',
    '<pattern id="q" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0h9v9H0z"/></pattern>' +
      '<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><path d="M0 0h2.5v5H0z" fill="url(#q)"/></pattern>',
  ],
  [
    'paint that its content inherits',
    '<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse" fill="none" stroke="#000" stroke-width="2.5"><path d="M1.25-3v11h9v-11"/></pattern>',
  ],
  [
    'paint from another group',
    '<g><linearGradient id="g"><stop stop-color="#000"/></linearGradient></g>' +
      '<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><path d="M0 0h2.5v5H0z" fill="url(#g)"/></pattern>',
  ],
];

const TILE = '<path d="M0 0h2.5v2H0z"/>';
const IN_BOX = 'patternContentUnits="objectBoundingBox"';
/** Patterns with a tile of 5 × 4 units, of which one is at (1, 3), for a shape of 100 × 50 units. */
const TILES: readonly (readonly [name: string, pattern: string])[] = [
  ['user space', `<pattern id="p" x="1" y="3" width="5" height="4" patternUnits="userSpaceOnUse">${TILE}</pattern>`],
  ['its box', `<pattern id="p" x=".01" y=".06" width=".05" height=".08">${TILE}</pattern>`],
  [
    'its box, and content in its box',
    `<pattern id="p" x=".01" y=".06" width=".05" height=".08" ${IN_BOX}><path d="M0 0h.025v.04H0z"/></pattern>`,
  ],
  [
    'a viewBox with another origin',
    '<pattern id="p" x="1" y="3" width="5" height="4" patternUnits="userSpaceOnUse" viewBox="7 9 10 8"><path d="M7 9h5v4H7z"/></pattern>',
  ],
  [
    'a viewBox that is stretched',
    '<pattern id="p" x="1" y="3" width="5" height="4" patternUnits="userSpaceOnUse" viewBox="0 0 2 2" preserveAspectRatio="none"><path d="M0 0h1v1H0z"/></pattern>',
  ],
  [
    'an uneven transform',
    '<pattern id="p" x="1" y="1.5" width="5" height="2" patternUnits="userSpaceOnUse" patternTransform="scale(1 2)"><path d="M0 0h2.5v1H0z"/></pattern>',
  ],
  [
    'a quarter turn',
    '<pattern id="p" x="3" y="-1" width="4" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(90)"><path d="M0 2.5h2v2.5H0z"/></pattern>',
  ],
];
const GRID = Array.from({ length: 14 * 22 }, (_, at) => {
  const [x, y] = [(at % 22) * 5 - 4, Math.floor(at / 22) * 4 - 1];
  return `<path d="M${x} ${y}h2.5v2h-2.5z"/>`;
}).join('');

describe('patterns', () => {
  for (const [name, pattern, attributes = ''] of PATTERNS)
    it(`have each tile in its place: ${name}`, async () => {
      const side = attributes === '' ? 100 : 200;
      const drawn = await row(`${pattern}<path d="M0 0h${side}v${side}H0z" fill="url(#p)" ${attributes}/>`, 100);
      const expected = await row(STRIPES, 100);
      const far = drawn.filter((alpha, x) => Math.abs(alpha - (expected[x] ?? 0)) > 140).length;
      expect(far, drawn.join(' ')).to.equal(0);
    });

  for (const [name, pattern] of TILES)
    it(`have each tile in its place, across and down: ${name}`, async () => {
      const inShape = PX * Math.floor(PX / 2);
      const drawn = (await rows(`${pattern}<path d="M0 0h100v50H0z" fill="url(#p)"/>`)).slice(0, inShape);
      const expected = (await rows(GRID)).slice(0, inShape);
      const far = drawn.filter((alpha, at) => Math.abs(alpha - (expected[at] ?? 0)) > 140).length;
      expect(far).to.equal(0);
    });

  it('have each tile in its place on a stroke', async () => {
    const [, pattern] = PATTERNS[0]!;
    const drawn = await row(`${pattern}<path d="M0 50h100" stroke="url(#p)" stroke-width="100"/>`, 100);
    const expected = await row(STRIPES, 100);
    expect(drawn.filter((alpha, x) => Math.abs(alpha - (expected[x] ?? 0)) > 140)).to.deep.equal([]);
  });

  it('become bitmaps only if their tiles are drawn, would be displaced, and are not too large', () => {
    const isBitmap = (
      width: number,
      body = '<path d="M0 0h99v99H0z" fill="url(#p)"/>',
      side = 100,
      more = '',
    ): boolean => {
      const pattern = `<pattern id="p" width="${width}" height="${width}" patternUnits="userSpaceOnUse" ${more}>${CONTENT}</pattern>`;
      const draw = (_: string, size: Size): Pixels => ({
        ...size,
        bytes: new Uint8Array(size.width * size.height * 4),
        premultiplied: true,
      });
      // Large pictures are flat, because few pixels take less time.
      const height = side > 100 ? 1 : 100;
      const svg = `<svg ${NS} viewBox="0 0 100 ${height}">${pattern}${body}</svg>`;
      return withPatternBitmaps(svg, { width: side, height: (side * height) / 100 }, draw).includes('<image');
    };
    expect(isBitmap(5.1)).to.equal(true);
    expect(isBitmap(5), 'whole pixels').to.equal(false);
    // The last of a hundred pixels is displaced by 0.2 and 0.3 pixels.
    expect(isBitmap(20.04), 'hardly displaced').to.equal(false);
    expect(isBitmap(20.06), 'displaced').to.equal(true);
    const scaled = (scale: string) => isBitmap(5, undefined, 100, `patternTransform="scale(${scale})"`);
    expect(scaled('1.02 1'), 'displaced across').to.equal(true);
    expect(scaled('1 1.02'), 'displaced down').to.equal(true);
    expect(isBitmap(0), 'no tile').to.equal(false);
    expect(isBitmap(1.3, undefined, 2000), 'a tile of 26 pixels').to.equal(false);
    expect(isBitmap(102.32, undefined, 2000), 'a tile of 2046.4 pixels').to.equal(true);
    expect(isBitmap(102.47, undefined, 2000), 'a tile of 2049.4 pixels').to.equal(false);
    expect(isBitmap(5.1, '<mask id="m"><path d="M0 0h99v99H0z" fill="url(#p)"/></mask>'), 'in a mask').to.equal(false);
    expect(isBitmap(5.1, '<g fill="url(#p)"/>'), 'a group').to.equal(false);
  });

  it('have a bounded number of bitmaps', async () => {
    const used = '<path d="M0 0h99v99H0z" fill="url(#p)"/>'.repeat(40);
    const pattern = `<pattern id="p" width=".05" height=".05">${CONTENT}</pattern>`;
    const svg = `<svg ${NS} viewBox="0 0 100 100">${pattern}${used}</svg>`;
    const bitmaps = (side: number): number => {
      const draw = (_: string, size: Size): Pixels => ({
        ...size,
        bytes: new Uint8Array(size.width * size.height * 4),
        premultiplied: true,
      });
      return withPatternBitmaps(svg, { width: side, height: side }, draw).split('<image').length - 1;
    };
    expect(bitmaps(128)).to.equal(12);
    expect(bitmaps(1200)).to.equal(2);
  });
});
