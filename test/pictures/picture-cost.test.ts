// Estimated cost of pictures: typical drawings at typical sizes are cheap.
import { expect } from 'chai';
import { guessedCostMs, laneOf, measuredCostMs, measurementOf } from '../../src/pictures/picture-cost.js';

const PNG = { format: 'png', quality: null } as const;
const PLAIN = '<svg><path d="M0 0"/></svg>';
const FILTERED = '<svg><filter/></svg>';

const square = (side: number, padding = 0) => ({ pixels: side ** 2, drawingPixels: (side * (1 - 2 * padding)) ** 2 });

describe('picture cost', () => {
  it('makes plain drawings cheap up to 1024 px, and large ones costly', () => {
    for (const side of [16, 256, 512, 1024])
      expect(laneOf(guessedCostMs(square(side), PNG, PLAIN)), String(side)).to.equal('cheap');
    for (const side of [2048, 4096])
      expect(laneOf(guessedCostMs(square(side), PNG, PLAIN)), String(side)).to.equal('costly');
  });

  it('makes unmeasured drawings with filters costly from some 256 px on', () => {
    expect(laneOf(guessedCostMs(square(64), PNG, FILTERED))).to.equal('cheap');
    expect(laneOf(guessedCostMs(square(300), PNG, FILTERED))).to.equal('costly');
  });

  it('makes unmeasured drawings with many layers costly', () => {
    const layered = `<svg>${'<g opacity=".5"><path d="M0 0"/></g>'.repeat(40)}</svg>`;
    expect(laneOf(guessedCostMs(square(64), PNG, layered))).to.equal('cheap');
    expect(laneOf(guessedCostMs(square(256), PNG, layered))).to.equal('costly');
  });

  it('scales a measurement by the square root towards smaller pictures', () => {
    const overhead = (side: number) => measuredCostMs(square(side), PNG, { drawingMs: 0, drawingPixels: 1 });
    const measured = { drawingMs: 40, drawingPixels: 400 ** 2 };
    expect(measuredCostMs(square(200), PNG, measured) - overhead(200)).to.be.closeTo(20, 1e-9);
    expect(measuredCostMs(square(800), PNG, measured) - overhead(800)).to.be.closeTo(160, 1e-9);
  });

  it('scales a measurement in proportion to the drawn area', () => {
    const measured = measurementOf(square(256), PNG, 12);
    expect(measuredCostMs(square(256), PNG, measured)).to.be.closeTo(12, 0.01);
    expect(measuredCostMs(square(512), PNG, measured)).to.be.within(40, 50);
    expect(measuredCostMs(square(512, 0.25), PNG, measured)).to.be.within(12, 20);
    expect(laneOf(measuredCostMs(square(64), PNG, measurementOf(square(128), PNG, 900)))).to.equal('costly');
  });

  it('does not count the overhead of every picture as the cost of a drawing', () => {
    // Both measured times are only overhead. The large picture took its time for encoding. The tiny picture took only
    // the base time that every picture takes. At 256 px, the drawing must therefore count as cheap.
    for (const measured of [measurementOf(square(4096), PNG, 400), measurementOf(square(8), PNG, 0.5)]) {
      expect(laneOf(measuredCostMs(square(256), PNG, measured))).to.equal('cheap');
    }
  });

  it('has a base, and a cost of encoding by the format and by loss', () => {
    const megapixel = { pixels: 1e6, drawingPixels: 1e6 };
    const nothing = { drawingMs: 0, drawingPixels: 1 };
    const costs = (['png', 'webp', 'jpg'] as const).map((format) =>
      measuredCostMs(megapixel, { format, quality: null }, nothing),
    );
    expect(costs).to.deep.equal([25.5, 35.5, 30.5]);
    expect(measuredCostMs(megapixel, { format: 'webp', quality: 100 }, nothing)).to.equal(120.5);
    expect(measuredCostMs({ pixels: 2e6, drawingPixels: 1 }, PNG, nothing), 'of all pixels').to.equal(50.5);
  });

  it('counts each layer and a filter by the drawn area, and the characters outside bitmaps', () => {
    const megapixel = { pixels: 1e6, drawingPixels: 1e6 };
    const cost = (svg: string) => guessedCostMs(megapixel, PNG, svg) - guessedCostMs(megapixel, PNG, '');
    for (const name of ['clip-path', 'mask', 'opacity', 'style'])
      expect(cost(`<g ${name}="a"/><g ${name}="b"/>`), name).to.be.closeTo(60, 0.01);
    expect(cost('<g fill-opacity="1" id="mask"/>'), 'no layer').to.be.below(0.01);
    expect(cost('<filter/><filter/>'), 'filters, once').to.be.closeTo(600, 0.01);
    expect(cost('x'.repeat(10_000))).to.be.closeTo(1, 1e-9);
    expect(cost(`<image href="data:image/png;base64,${'A'.repeat(1_000_000)}"/>`)).to.be.below(0.01);
    const part = { pixels: 1e6, drawingPixels: 5e5 };
    const filtered = guessedCostMs(part, PNG, '<filter/>') - guessedCostMs(part, PNG, '');
    expect(filtered, 'the padding is not filtered').to.be.closeTo(300, 0.01);
  });

  it('is costly from 40 ms on', () => {
    expect([39.9, 40].map(laneOf)).to.deep.equal(['cheap', 'costly']);
  });

  it('rises with lossy encoding and with long drawings', () => {
    const base = guessedCostMs(square(900), PNG, PLAIN);
    expect(guessedCostMs(square(900), { format: 'webp', quality: 80 }, PLAIN)).to.be.above(base);
    expect(guessedCostMs(square(900), PNG, PLAIN.padEnd(900_000))).to.be.above(base);
  });
});
