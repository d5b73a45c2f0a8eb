// Colors on light and dark backgrounds: visibility, and the nearest visible color.
import { expect } from 'chai';
import { converter, wcagContrast } from 'culori';
import { isSeen, nearestSeen, PAGE_COLORS } from '../../src/catalog/page-colors.js';

const oklch = converter('oklch');

function hueOf(hex: string): number {
  return oklch(hex)?.h ?? Number.NaN;
}

describe('colors on pages', () => {
  it('are visible from 3:1, and strong ones on white from 1.2:1', () => {
    for (const hex of ['#fbc817', '#25d366', '#1ed760', '#76b900', '#ffb900', '#ff9900'])
      expect(isSeen(hex, { on: 'light' }), hex).to.equal(true);
    for (const hex of ['#fffc00', '#cccccc', '#ffffff', '#c4b5fd'])
      expect(isSeen(hex, { on: 'light' }), hex).to.equal(false);
    for (const hex of ['#003087', '#1a1f71', '#000000']) expect(isSeen(hex, { on: 'dark' }), hex).to.equal(false);
  });

  it('stay unchanged if they are visible', () => {
    expect(nearestSeen('#1d9bf0', { on: 'dark' })).to.equal('#1d9bf0');
    expect(nearestSeen('#fbc817', { on: 'light' })).to.equal('#fbc817');
  });

  it('change only in lightness, as little as possible, and keep their hue', () => {
    for (const [hex, on] of [
      ['#003087', 'dark'],
      ['#1a1f71', 'dark'],
      ['#4a154b', 'dark'],
      ['#fffc00', 'light'],
      ['#c4b5fd', 'light'],
    ] as const) {
      const moved = nearestSeen(hex, { on });
      expect(wcagContrast(moved, PAGE_COLORS[on]), `${hex} ${moved}`).to.be.within(3, 3.15);
      const turned = Math.abs(hueOf(moved) - hueOf(hex));
      expect(Math.min(turned, 360 - turned), `${hex} ${moved}`).to.be.below(6);
      expect(wcagContrast(nearestSeen(hex, { on, contrast: 4.5 }), PAGE_COLORS[on])).to.be.within(4.5, 4.7);
    }
  });

  it('become light on a dark page if they are black or gray', () => {
    expect(nearestSeen('#000000', { on: 'dark' })).to.equal('#ffffff');
    expect(wcagContrast(nearestSeen('#444444', { on: 'dark' }), PAGE_COLORS.dark)).to.be.above(10);
    expect(wcagContrast(nearestSeen('#000022', { on: 'dark' }), PAGE_COLORS.dark)).to.be.above(10);
  });
});
