// Places of drawings in a strip: within their tiles, whatever their shape.
import { expect } from 'chai';
import { composeStrip, TILE_COLORS, TILE_INSETS, type StripLayout } from '../../src/pictures/strip.js';

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
