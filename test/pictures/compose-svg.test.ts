// Composed SVG, byte for byte. Each test changes one property of the picture.
import { expect } from 'chai';
import type { Color } from '../../src/platform/text/color.js';
import { composeSvg, decimal, placedDrawing } from '../../src/pictures/compose-svg.js';
import type { Geometry } from '../../src/pictures/geometry.js';
import type { PictureSpec } from '../../src/pictures/picture-spec.js';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const BODY = '<path fill="currentColor" d="M0 0h4v2z"/></svg>';
const DRAWING = `<svg ${XMLNS} viewBox="1 2 40 20">${BODY}`;
const CLIPPED = `<svg ${XMLNS} overflow="hidden" viewBox="1 2 40 20">${BODY}`;

const color = (text: string) => text as Color;
const RED = color('ff0000ff');

/** The drawing is 40 × 20, in the middle of a picture of 40 × 30. */
const GEOMETRY: Geometry = {
  box: { width: 40, height: 30 },
  sized: true,
  crop: null,
  content: { x: 0, y: 5, width: 40, height: 20 },
  rotate: 0,
  flip: false,
  cornerRadius: 0,
};
const composed = (
  geometry: Partial<Geometry> = {},
  picture: Partial<Omit<PictureSpec, 'geometry'>> = {},
  text = DRAWING,
) =>
  composeSvg(text, {
    geometry: { ...GEOMETRY, ...geometry },
    paint: RED,
    background: null,
    greyscale: false,
    ...picture,
  });

const painted = (paint: string) => BODY.replace('currentColor', paint);
/** Returns the drawing as a nested <svg>, in red by default. */
const nested = (place = 'x="0" y="5" width="40" height="20" overflow="visible"', paint = '#ff0000') =>
  `<svg ${place} viewBox="1 2 40 20">${painted(paint)}`;
const framed = (inner: string, more = '') =>
  `<svg ${XMLNS} width="40" height="30" viewBox="0 0 40 30"${more}>${inner}</svg>`;
/** Returns an SVG document that contains only the drawing, in this paint. */
const alone = (paint: string, size = ' width="40" height="30"') =>
  `<svg ${XMLNS}${size} viewBox="1 2 40 20">${painted(paint)}`;

describe('a composed SVG', () => {
  for (const [what, made, expected] of [
    ['fills one direction of its box', composed(), alone('#ff0000')],
    ['fills the other one', composed({ content: { x: 5, y: 0, width: 30, height: 30 } }), alone('#ff0000')],
    ['has no size', composed({ sized: false }), alone('#ff0000', '')],
    ['leaves its paint to the page', composed({}, { paint: 'currentColor' }), alone('currentColor')],
    ['has colors of its own', composed({}, { paint: null }), alone('currentColor')],
    ['shows a part of it', composed({ crop: [3, 4, 10, 5] }), alone('#ff0000').replace('1 2 40 20', '4 6 10 5')],
    [
      'hides what is outside, and fills its box',
      composed({ content: { x: 0, y: 0, width: 40, height: 30 } }, {}, CLIPPED),
      `<svg ${XMLNS} width="40" height="30" viewBox="1 2 40 20">${painted('#ff0000')}`,
    ],
  ] as const)
    it(`is the drawing itself if that ${what}`, () => {
      expect(made).to.equal(expected);
    });

  const GAP = { content: { x: 2, y: 5, width: 36, height: 18 } };
  for (const [what, made, expected] of [
    ['touches no edge', composed(GAP), framed(nested('x="2" y="5" width="36" height="18" overflow="visible"'))],
    [
      'touches no edge, by less than nothing',
      composed({ content: { x: -2, y: -5, width: 44, height: 22 } }),
      framed(nested('x="-2" y="-5" width="44" height="22" overflow="visible"')),
    ],
    [
      'hides what is outside, and fills one direction',
      composed({}, {}, CLIPPED),
      framed(nested('x="0" y="5" width="40" height="20"')),
    ],
    [
      'is on a background',
      composed({}, { background: color('0a64c8ff') }),
      framed(`<rect width="40" height="30" fill="#0a64c8"/>${nested()}`),
    ],
    [
      'is on a translucent background with round corners',
      composed({ cornerRadius: 6 }, { background: color('0a64c833') }),
      framed(`<rect width="40" height="30" rx="6" fill="#0a64c8" fill-opacity="0.2"/>${nested()}`),
    ],
    ['is translucent', composed({}, { paint: color('ff000033') }), framed(`<g opacity="0.2">${nested()}</g>`)],
    ['is turned', composed({ rotate: 180 }), framed(`<g transform="rotate(180 20 15)">${nested()}</g>`)],
    ['is mirrored', composed({ flip: true }), framed(`<g transform="matrix(-1 0 0 1 40 0)">${nested()}</g>`)],
    [
      'is turned, mirrored and translucent',
      composed({ rotate: 90, flip: true }, { paint: color('ff000080') }),
      framed(`<g transform="rotate(90 20 15) matrix(-1 0 0 1 40 0)" opacity="0.502">${nested()}</g>`),
    ],
    [
      'has another color on dark pages',
      composed({}, { darkPaint: color('00ff00ff') }),
      framed(
        `<style>.ink-ff0000ff-00ff00ff{color:#ff0000ff}` +
          `@media (prefers-color-scheme:dark){.ink-ff0000ff-00ff00ff{color:#00ff00ff}}</style>` +
          nested(undefined, 'currentColor'),
        ' class="ink-ff0000ff-00ff00ff"',
      ),
    ],
    [
      'has a translucent color that is another one on dark pages',
      composed({}, { paint: color('ff000080'), darkPaint: color('00ff0080') }),
      framed(
        `<style>.ink-ff000080-00ff0080{color:#ff000080}` +
          `@media (prefers-color-scheme:dark){.ink-ff000080-00ff0080{color:#00ff0080}}</style>` +
          nested(undefined, 'currentColor'),
        ' class="ink-ff000080-00ff0080"',
      ),
    ],
    [
      'leaves its paint to the page, on a background',
      composed({}, { paint: 'currentColor', background: color('0a64c8ff') }),
      framed(`<rect width="40" height="30" fill="#0a64c8"/>${nested(undefined, 'currentColor')}`),
    ],
    [
      'has no paint that could be another one on dark pages',
      composed({}, { paint: null, darkPaint: RED }),
      framed(nested(undefined, 'currentColor')),
    ],
    [
      'leaves its paint to the page, also to a dark one',
      composed({}, { paint: 'currentColor', darkPaint: RED }),
      framed(nested(undefined, 'currentColor')),
    ],
    [
      'has no size, on a background',
      composed({ sized: false }, { background: color('0a64c8ff') }),
      framed(`<rect width="40" height="30" fill="#0a64c8"/>${nested()}`).replace(
        ' width="40" height="30" viewBox',
        ' viewBox',
      ),
    ],
  ] as const)
    it(`contains the drawing if that ${what}`, () => {
      expect(made).to.equal(expected);
    });

  it('ignores gaps below a millionth of a pixel', () => {
    const gap = (y: number) => composed({ content: { x: 1, y, width: 40, height: 20 } });
    expect([gap(9e-7), gap(-9e-7)]).to.deep.equal([alone('#ff0000'), alone('#ff0000')]);
    expect(gap(2e-6)).to.match(/<svg x="1" y="0" /);
  });

  it('shows the colors of the drawing in grey, ignoring other given colors', () => {
    const svg = `<svg ${XMLNS} viewBox="0 0 40 20"><path fill="#ff0000" d="M0 0"/></svg>`;
    expect(composed({}, { paint: null, greyscale: true }, svg)).to.include('fill="#363636"');
    expect(composed({}, { paint: null }, svg)).to.include('fill="#ff0000"');
  });

  it('paints every shape', () => {
    const svg = `<svg ${XMLNS} viewBox="0 0 40 20"><path fill="currentColor"/><path stroke="currentColor"/></svg>`;
    expect(composed({}, {}, svg)).to.include('<path fill="#ff0000"/><path stroke="#ff0000"/>');
  });
});

describe('a drawing in a composition', () => {
  const PLACE = { x: 1, y: 2.00004, width: 30.123456, height: 15 };
  const at = 'x="1" y="2" width="30.1235" height="15"';

  for (const [what, root, attributes] of [
    ['its viewBox', `${XMLNS} viewBox="1 2 40 20"`, ' overflow="visible" viewBox="1 2 40 20"'],
    [
      'no place of its own',
      `x="9" y="9" width="9" height="9" viewBox="1 2 40 20"`,
      ' overflow="visible" viewBox="1 2 40 20"',
    ],
    [
      'no fitting of its own',
      `preserveAspectRatio="none" viewBox="1 2 40 20"`,
      ' overflow="visible" viewBox="1 2 40 20"',
    ],
    [
      'its other attributes',
      `viewBox='1 2 40 20' fill="none" xml:space="preserve"`,
      ` overflow="visible" viewBox='1 2 40 20' fill="none" xml:space="preserve"`,
    ],
    [
      'its ink outside, unless that is hidden',
      `overflow="visible" viewBox="1 2 40 20"`,
      ' overflow="visible" viewBox="1 2 40 20"',
    ],
    [
      'its ink outside where only the drawing is hidden',
      `visibility="hidden" viewBox="1 2 40 20"`,
      ' overflow="visible" visibility="hidden" viewBox="1 2 40 20"',
    ],
    ['no ink outside where that is hidden', `overflow='hidden' viewBox="1 2 40 20"`, ' viewBox="1 2 40 20"'],
  ] as const)
    it(`keeps ${what}`, () => {
      expect(placedDrawing(`<svg ${root}><g/></svg>`, PLACE, null)).to.equal(`<svg ${at}${attributes}><g/></svg>`);
    });

  it('may be empty', () => {
    expect(placedDrawing(`<svg ${XMLNS} viewBox="0 0 1 1"/>`, PLACE, null)).to.equal(
      `<svg ${at} overflow="visible" viewBox="0 0 1 1"></svg>`,
    );
  });

  it('shows a part of it from the corner of its viewBox, with any separator of the numbers', () => {
    for (const [viewBox, shown] of [
      ['0 0 40 20', '3.5 4 10 5'],
      ['-10,5 , 40,20', '-6.5 9 10 5'],
      ['1.25  2 40 20', '4.75 6 10 5'],
    ])
      expect(placedDrawing(`<svg viewBox="${viewBox}"><g/></svg>`, PLACE, [3.5, 4, 10, 5]), viewBox).to.include(
        `viewBox="${shown}"`,
      );
  });

  it('starts with an svg element', () => {
    expect(() => placedDrawing('<g/>', PLACE, null)).to.throw('svg element');
  });

  it('has numbers with four decimals', () => {
    expect([1, 0.12344, 0.12346, -0.00004, 1e-7, 1234.56789].map(decimal)).to.deep.equal([
      '1',
      '0.1234',
      '0.1235',
      '0',
      '0',
      '1234.5679',
    ]);
  });
});
