// Which pictures are cheap: everyday logos at everyday sizes.
import { expect } from 'chai';
import { estimateRenderMs, laneOf, profileOf } from '../../src/domain/render-cost.js';

const PNG = { format: 'png', quality: null } as const;
const PLAIN = profileOf('<svg><path d="M0 0"/></svg>');
const FILTERED = profileOf('<svg><filter/></svg>');

const square = (side: number, padding = 0) => ({ pixels: side ** 2, drawingPixels: (side * (1 - 2 * padding)) ** 2 });

describe('render cost', () => {
  it('makes plain logos cheap up to 1024 px, and large ones dear', () => {
    for (const side of [16, 256, 512, 1024]) expect(laneOf(estimateRenderMs(square(side), PNG, { profile: PLAIN })), String(side)).to.equal('cheap');
    for (const side of [2048, 4096]) expect(laneOf(estimateRenderMs(square(side), PNG, { profile: PLAIN })), String(side)).to.equal('dear');
  });

  it('makes drawings with filters dear from some 256 px on, as long as nothing is known of them', () => {
    expect(laneOf(estimateRenderMs(square(64), PNG, { profile: FILTERED }))).to.equal('cheap');
    expect(laneOf(estimateRenderMs(square(300), PNG, { profile: FILTERED }))).to.equal('dear');
  });

  it('goes by what was measured, in proportion to the drawn area', () => {
    const measured = { cpuMs: 2, drawingPixels: 256 ** 2 };
    expect(estimateRenderMs(square(512), PNG, { profile: FILTERED, measured })).to.be.within(8, 20);
    expect(estimateRenderMs(square(512, 0.25), PNG, { profile: FILTERED, measured })).to.be.within(2, 12);
    expect(laneOf(estimateRenderMs(square(64), PNG, { profile: PLAIN, measured: { cpuMs: 900, drawingPixels: 128 ** 2 } }))).to.equal('dear');
  });

  it('rises with lossy encoding and with long drawings', () => {
    const base = estimateRenderMs(square(900), PNG, { profile: PLAIN });
    expect(estimateRenderMs(square(900), { format: 'webp', quality: 80 }, { profile: PLAIN })).to.be.above(base);
    expect(estimateRenderMs(square(900), PNG, { profile: { chars: 900_000, hasFilters: false } })).to.be.above(base);
  });
});
