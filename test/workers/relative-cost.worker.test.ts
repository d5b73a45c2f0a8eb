// Estimate of a drawing's cost from measured times, while other processes disturb the measurement.
import { expect } from 'chai';
import { relativeCost } from '../../workers/cost-limits/relative-cost.js';

const LIMIT = 45;

/** Returns a sampler that returns these times in order, and then repeats the last time. */
function times(...values: readonly number[]): { readonly sample: () => number; readonly taken: () => number } {
  let taken = 0;
  return { sample: () => values[Math.min(taken++, values.length - 1)] ?? NaN, taken: () => taken };
}

describe('relativeCost', () => {
  it('finds a drawing above the limit although the reference was first timed on a busy machine', () => {
    const [reference, drawing] = [times(30, 10), times(750)];
    expect(relativeCost({ reference: reference.sample, drawing: drawing.sample, firstMs: 750 }, LIMIT)).to.equal(75);
  });

  it('finds a drawing below the limit although it was first timed on a busy machine', () => {
    const [reference, drawing] = [times(10), times(600, 330)];
    expect(relativeCost({ reference: reference.sample, drawing: drawing.sample, firstMs: 600 }, LIMIT)).to.equal(33);
  });

  it('never decides by one sample', () => {
    for (const drawingMs of [1, 449, 451, 5000]) {
      const [reference, drawing] = [times(10), times(drawingMs)];
      relativeCost({ reference: reference.sample, drawing: drawing.sample, firstMs: drawingMs }, LIMIT);
      expect(reference.taken(), String(drawingMs)).to.be.at.least(2);
      expect(drawing.taken(), String(drawingMs)).to.be.at.least(1);
    }
  });

  it('samples in turn', () => {
    const order: string[] = [];
    const sampler = (name: string) => (): number => order.push(name);
    relativeCost({ reference: sampler('reference'), drawing: sampler('drawing'), firstMs: 10 }, LIMIT);
    expect(order).to.deep.equal(['reference', 'reference', 'drawing', 'reference', 'drawing']);
  });
});
