// Strips: positions of cells and drawings, and the exact SVG.
import { expect } from 'chai';
import { WORDMARK_ASPECT } from '../../src/catalog/import/score-offers.js';
import type { Color } from '../../src/platform/text/color.js';
import { decimal } from '../../src/pictures/compose-svg.js';
import {
  composeStrip,
  drawingsOf,
  placeItems,
  TILE_COLORS,
  TILE_INSETS,
  type StripForm,
  type StripItem,
  type StripLayout,
} from '../../src/pictures/strip.js';

const SIDE = 100;

describe('a drawing in a strip', () => {
  const drawn = (layout: Pick<StripLayout, 'tile' | 'inset' | 'isBalanced'>, width: number, height: number) => {
    const svg = composeStrip(
      {
        items: [{ title: 'One', forms: { light: { drawing: 'd', extent: { width, height }, paint: null } } }],
        layout: {
          ...{ theme: 'light', perLine: 1, side: SIDE, gap: 0, tileColors: TILE_COLORS, isSized: true },
          ...layout,
        },
        hasTitles: false,
      },
      () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path d="M0 0"/></svg>`,
      's',
    );
    const place = /<svg x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/.exec(svg)?.slice(1).map(Number);
    const [x = 0, y = 0, across = 0, down = 0] = place ?? [];
    for (const middle of [x + across / 2, y + down / 2]) expect(middle, svg).to.be.closeTo(SIDE / 2, 0.01);
    expect(across / down).to.be.closeTo(width / height, 0.01);
    return { across, down };
  };
  const SHAPES = [
    [24, 24],
    [60, 20],
    [10, 40],
  ] as const;

  it('has its corners in a circle, at the inset from its edge', () => {
    for (const [width, height] of SHAPES) {
      const { across, down } = drawn({ tile: 'circle', inset: TILE_INSETS.circle, isBalanced: false }, width, height);
      expect(Math.hypot(across, down)).to.be.closeTo(SIDE * (1 - 2 * TILE_INSETS.circle), 0.01);
      const balanced = drawn({ tile: 'circle', inset: TILE_INSETS.circle, isBalanced: true }, width, height);
      expect(Math.hypot(balanced.across, balanced.down)).to.be.at.most(SIDE * (1 - 2 * TILE_INSETS.circle) + 0.01);
    }
  });

  it('has its longer side at the inset from the edge of a square', () => {
    for (const [width, height] of SHAPES) {
      const { across, down } = drawn({ tile: 'rounded', inset: TILE_INSETS.rounded, isBalanced: false }, width, height);
      expect(Math.max(across, down)).to.be.closeTo(SIDE * (1 - 2 * TILE_INSETS.rounded), 0.01);
    }
  });
});

const color = (text: string) => text as Color;
const RED = color('ff0000ff');
const BLUE = color('0000ff80');
const LAYOUT: StripLayout = {
  theme: 'light',
  perLine: 3,
  side: 100,
  gap: 10,
  tile: 'none',
  tileColors: TILE_COLORS,
  inset: 0,
  isBalanced: false,
  isSized: true,
};
const formOf = (width: number, height: number, more: Partial<StripForm> = {}): StripForm => ({
  drawing: `${width}x${height}`,
  extent: { width, height },
  paint: null,
  ...more,
});
const itemOf = (light: StripForm, dark?: StripForm, title = 'One'): StripItem => ({
  title,
  forms: { light, ...(dark && { dark }) },
});
const textOf = (drawing: string) => `<svg viewBox="0 0 1 1"><g id="a" fill="url(#a)"/>${drawing}</svg>`;

describe('the cells of a strip', () => {
  const placed = (items: readonly StripItem[], layout: Partial<StripLayout>) => {
    const { cells, width, height } = placeItems({ items, layout: { ...LAYOUT, ...layout } });
    return { cells: cells.map((cell) => [cell.x, cell.y, cell.width]), width, height };
  };
  const square = itemOf(formOf(10, 10));
  const wordmark = itemOf(formOf(301, 100));

  it('are in rows, with gaps only between them', () => {
    expect(placed(Array(4).fill(square), { perLine: 3 })).to.deep.equal({
      cells: [
        [0, 0, 100],
        [110, 0, 100],
        [220, 0, 100],
        [0, 110, 100],
      ],
      width: 320,
      height: 210,
    });
    expect(placed(Array(3).fill(square), { perLine: 3 })).to.include({ width: 320, height: 100 });
    expect(placed([square], { perLine: 1, side: 64, gap: 0 })).to.deep.equal({
      cells: [[0, 0, 64]],
      width: 64,
      height: 64,
    });
  });

  it('are as wide as a wordmark with balanced ink, and square otherwise', () => {
    const [balanced, tiled, boxed] = [
      placed([wordmark, square], { isBalanced: true, perLine: 1 }),
      placed([wordmark, square], { isBalanced: true, tile: 'rounded' }),
      placed([wordmark, square], {}),
    ];
    // The visible pixels of the wordmark (301 × 100) fill six tenths of its box, and must cover half of a cell. Its
    // width is therefore sqrt(0.5 × 100² × 3.01 / 0.6).
    expect(balanced).to.deep.equal({
      cells: [
        [0, 0, 159],
        [0, 110, 100],
      ],
      width: 159,
      height: 210,
    });
    expect(tiled.cells).to.deep.equal(boxed.cells);
    expect(boxed).to.include({ width: 210, height: 100 });
  });

  it('have room for the drawings of both pages', () => {
    const [light, dark] = [formOf(10, 10), formOf(301, 100)];
    expect(placed([itemOf(light, dark)], { isBalanced: true }).width).to.equal(159);
    expect(placed([itemOf(dark, light)], { isBalanced: true }).width).to.equal(159);
  });
});

describe('the size of a drawing in a strip', () => {
  const sizeOf = (extent: StripForm['extent'], layout: Partial<StripLayout>) => {
    const strip = { items: [itemOf({ drawing: 'd', extent, paint: null })], layout: { ...LAYOUT, ...layout } };
    const svg = composeStrip({ ...strip, hasTitles: false }, textOf, 's');
    const [, width, height] = /<svg x="[\d.]+" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    return [Number(width), Number(height)];
  };

  for (const [what, extent, layout, size] of [
    ['fills its cell', { width: 40, height: 20 }, {}, [100, 50]],
    ['fills its cell upright', { width: 20, height: 40 }, {}, [50, 100]],
    [
      'is no wordmark though it is wide',
      { width: 150, height: 100, inkShare: 0.1 },
      { isBalanced: true },
      [100, 66.6667],
    ],
    ['keeps the inset on both sides', { width: 40, height: 20 }, { inset: 0.16 }, [68, 34]],
    ['is measured by its ink', { width: 40, height: 20, ink: [5, 5, 10, 10] as const }, {}, [100, 100]],
    // The visible pixels fill six tenths of the square, and must cover half of the cell.
    // The side of the square is therefore sqrt(0.5 × 100² / 0.6).
    [
      'has half of the cell in ink, of six tenths in its box',
      { width: 1, height: 1 },
      { isBalanced: true },
      [91.2871, 91.2871],
    ],
    ['has half of the cell in ink', { width: 1, height: 1, inkShare: 0.8 }, { isBalanced: true }, [79.0569, 79.0569]],
    ['is no larger than its cell for that', { width: 1, height: 1, inkShare: 0.4 }, { isBalanced: true }, [100, 100]],
    [
      'has half of what the inset leaves',
      { width: 1, height: 1, inkShare: 0.8 },
      { isBalanced: true, inset: 0.1 },
      [63.2456, 63.2456],
    ],
    [
      'is a wordmark of two and a half sides at most',
      { width: 900, height: 100, inkShare: 0.3 },
      { isBalanced: true },
      [250, 27.7778],
    ],
    [
      'is as wide as its tile',
      { width: 900, height: 100, inkShare: 0.3 },
      { isBalanced: true, tile: 'rounded' },
      [100, 11.1111],
    ],
    ['is as wide as its cell without balance', { width: 900, height: 100, inkShare: 0.3 }, {}, [100, 11.1111]],
    ['has its corners on a circle', { width: 3, height: 4 }, { tile: 'circle', inset: 0.05 }, [54, 72]],
    // The largest square in the circle has the area 100² / 2. The drawing must cover half of this area.
    // The side of the drawing is therefore sqrt(0.5 × 100² / 2).
    [
      'has half of the square in a circle in ink',
      { width: 1, height: 1, inkShare: 1 },
      { tile: 'circle', isBalanced: true },
      [50, 50],
    ],
  ] as const)
    it(what, () => {
      expect(sizeOf(extent, layout)).to.deep.equal(size);
    });

  it('is the size of a wordmark only if the drawing is longer than one', () => {
    const widthOf = (width: number) => sizeOf({ width, height: 1, inkShare: 0.1 }, { isBalanced: true })[0];
    expect([widthOf(WORDMARK_ASPECT), widthOf(WORDMARK_ASPECT + 0.01)]).to.deep.equal([100, 221]);
  });
});

describe('the tiles of a strip', () => {
  it('leave a margin by their shape', () => {
    expect(TILE_INSETS).to.deep.equal({ none: 0, rounded: 0.16, circle: 0.06 });
    expect(TILE_COLORS).to.deep.equal({ light: 'f1f3f5ff', dark: '21262dff' });
  });
});

describe('a composed strip', () => {
  const composed = (items: readonly StripItem[], layout: Partial<StripLayout> = {}, hasTitles = false) =>
    composeStrip({ items, layout: { ...LAYOUT, ...layout }, hasTitles }, textOf, 'n');
  const document = (inner: string, [width, height] = [100, 100]) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`;
  const drawn = (drawing: string, id: string, place = 'x="0" y="25" width="100" height="50"') =>
    `<svg ${place} overflow="visible" viewBox="0 0 1 1"><g id="${id}-a" fill="url(#${id}-a)"/>${drawing}</svg>`;
  const wide = formOf(40, 20);
  const other = formOf(20, 10);

  for (const [what, made, expected] of [
    ['a drawing', composed([itemOf(wide)]), document(drawn('40x20', 'n-0'))],
    ['one for dark pages only', composed([{ title: 'One', forms: { dark: wide } }]), document(drawn('40x20', 'n-0'))],
    ['one that is the same on both', composed([itemOf(wide, { ...wide })]), document(drawn('40x20', 'n-0'))],
    ['nothing for no page', composed([{ title: 'One', forms: {} }], { gap: 0 }), document('')],
    [
      'its color',
      composed([itemOf({ ...wide, paint: RED })]),
      document(`<g color="#ff0000">${drawn('40x20', 'n-0')}</g>`),
    ],
    [
      'its translucent color',
      composed([itemOf({ ...wide, paint: BLUE })]),
      document(`<g color="#0000ff" opacity="0.502">${drawn('40x20', 'n-0')}</g>`),
    ],
    [
      'another color on dark pages',
      composed([itemOf({ ...wide, paint: RED }, { ...wide, paint: BLUE })]),
      document(
        '<style>.n-s0{color:#ff0000}@media (prefers-color-scheme:dark){.n-s0{color:#0000ff}}</style>' +
          `<g class="n-s0">${drawn('40x20', 'n-0')}</g>`,
      ),
    ],
    [
      'another drawing on dark pages',
      composed([itemOf(wide, { ...other, paint: RED })]),
      document(
        '<style>.n-s0{display:inline}.n-s1{display:none}' +
          '@media (prefers-color-scheme:dark){.n-s0{display:none}.n-s1{display:inline}}</style>' +
          `<g class="n-s0">${drawn('40x20', 'n-0l')}</g>` +
          `<g class="n-s1"><g color="#ff0000">${drawn('20x10', 'n-0d')}</g></g>`,
      ),
    ],
    [
      'the same drawing without and with a color',
      composed([itemOf(wide, { ...wide, paint: RED })]),
      document(
        '<style>.n-s0{display:inline}.n-s1{display:none}' +
          '@media (prefers-color-scheme:dark){.n-s0{display:none}.n-s1{display:inline}}</style>' +
          `<g class="n-s0">${drawn('40x20', 'n-0l')}</g>` +
          `<g class="n-s1"><g color="#ff0000">${drawn('40x20', 'n-0d')}</g></g>`,
      ),
    ],
    [
      'the same drawing with and without a color',
      composed([itemOf({ ...wide, paint: RED }, wide)]),
      document(
        '<style>.n-s0{display:inline}.n-s1{display:none}' +
          '@media (prefers-color-scheme:dark){.n-s0{display:none}.n-s1{display:inline}}</style>' +
          `<g class="n-s0"><g color="#ff0000">${drawn('40x20', 'n-0l')}</g></g>` +
          `<g class="n-s1">${drawn('40x20', 'n-0d')}</g>`,
      ),
    ],
    [
      'another drawing of colors of its own on dark pages',
      composed([itemOf(wide, other)]),
      document(
        '<style>.n-s0{display:inline}.n-s1{display:none}' +
          '@media (prefers-color-scheme:dark){.n-s0{display:none}.n-s1{display:inline}}</style>' +
          `<g class="n-s0">${drawn('40x20', 'n-0l')}</g><g class="n-s1">${drawn('20x10', 'n-0d')}</g>`,
      ),
    ],
    [
      'titles, escaped',
      composed([itemOf(wide, undefined, 'A & <B>')], {}, true),
      document(`<g role="img"><title>A &amp; &lt;B&gt;</title>${drawn('40x20', 'n-0')}</g>`),
    ],
    [
      'one class for equal values of several',
      composed([
        itemOf({ ...wide, paint: RED }, { ...wide, paint: BLUE }),
        itemOf({ ...other, paint: RED }, { ...other, paint: BLUE }),
      ]),
      document(
        '<style>.n-s0{color:#ff0000}@media (prefers-color-scheme:dark){.n-s0{color:#0000ff}}</style>' +
          `<g class="n-s0">${drawn('40x20', 'n-0')}</g>` +
          `<g class="n-s0">${drawn('20x10', 'n-1', 'x="110" y="25" width="100" height="50"')}</g>`,
        [210, 100],
      ),
    ],
    [
      'no size of its own',
      composed([itemOf(wide)], { isSized: false }),
      document(drawn('40x20', 'n-0')).replace(' width="100" height="100" viewBox', ' viewBox'),
    ],
    [
      'a tile that is rounded',
      composed([itemOf(wide)], { tile: 'rounded' }),
      document(`<rect fill="#f1f3f5" x="0" y="0" width="100" height="100" rx="22"/>${drawn('40x20', 'n-0')}`),
    ],
    [
      'a square tile for dark pages',
      composed([itemOf(wide)], { tile: 'square', theme: 'dark' }),
      document(`<rect fill="#21262d" x="0" y="0" width="100" height="100" rx="0"/>${drawn('40x20', 'n-0')}`),
    ],
    [
      'a tile of another color on dark pages',
      composed([itemOf(wide)], { tile: 'square', theme: 'auto' }),
      document(
        '<style>.n-s0{fill:#f1f3f5}@media (prefers-color-scheme:dark){.n-s0{fill:#21262d}}</style>' +
          `<rect class="n-s0" x="0" y="0" width="100" height="100" rx="0"/>${drawn('40x20', 'n-0')}`,
      ),
    ],
    [
      'a tile of one color on both pages',
      composed([itemOf(wide)], { tile: 'square', theme: 'auto', tileColors: { light: RED, dark: RED } }),
      document(`<rect fill="#ff0000" x="0" y="0" width="100" height="100" rx="0"/>${drawn('40x20', 'n-0')}`),
    ],
    [
      'a second row in the same column',
      composed([itemOf(formOf(1, 1)), itemOf(formOf(1, 1))], { perLine: 1, tile: 'circle' }),
      document(
        [0, 110]
          .map(
            (y, index) =>
              `<rect fill="#f1f3f5" x="0" y="${y}" width="100" height="100" rx="50"/>` +
              drawn('1x1', `n-${index}`, `x="14.6447" y="${decimal(y + 14.6447)}" width="70.7107" height="70.7107"`),
          )
          .join(''),
        [100, 210],
      ),
    ],
  ] as const)
    it(`has ${what}`, () => {
      expect(made).to.equal(expected);
    });

  it('centers a drawing in a cell that the other page has widened', () => {
    const svg = composed(
      [itemOf(formOf(100, 100, { extent: { width: 1, height: 1, inkShare: 0.8 } }), formOf(301, 100))],
      {
        isBalanced: true,
      },
    );
    expect(svg).to.include('<svg x="39.9715" y="10.4715" width="79.0569" height="79.0569"');
  });

  it('needs each drawing once', () => {
    expect(drawingsOf({ items: [itemOf(wide, other), itemOf(other), itemOf(wide)] })).to.deep.equal(['40x20', '20x10']);
  });
});
