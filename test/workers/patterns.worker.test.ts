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
  const svg = `<svg ${NS} width="${PX}" height="${PX}" viewBox="0 0 100 100">${body}</svg>`;
  const { bytes } = await pixelsOf({ svg, width: PX, height: PX });
  return Array.from({ length: PX }, (_, x) => bytes[(at * PX + x) * 4 + 3] ?? 0);
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
];

describe('patterns', () => {
  for (const [name, pattern, attributes = ''] of PATTERNS)
    it(`have each tile in its place: ${name}`, async () => {
      const side = attributes === '' ? 100 : 200;
      const drawn = await row(`${pattern}<path d="M0 0h${side}v${side}H0z" fill="url(#p)" ${attributes}/>`, 100);
      const expected = await row(STRIPES, 100);
      const far = drawn.filter((alpha, x) => Math.abs(alpha - (expected[x] ?? 0)) > 140).length;
      expect(far, drawn.join(' ')).to.equal(0);
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
    expect(bitmaps(1024)).to.equal(4);
  });
});
