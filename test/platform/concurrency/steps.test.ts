// Long computations in steps: equal results in short slices.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createSlice,
  finish,
  jsonText,
  sorted,
  STEPS_PER_SLICE,
  type Steps,
} from '../../../src/platform/concurrency/time-slices.js';

function slicesOf(steps: Steps<unknown>): number {
  let slices = 1;
  while (steps.next().done !== true) slices++;
  return slices;
}

describe('computations in steps', () => {
  it('write JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0 as const, 4 as const), (value, indent) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(finish(jsonText(plain, indent))).to.equal(JSON.stringify(plain, null, indent));
      }),
    );
    expect(finish(jsonText({ a: undefined, b: [], c: {} }, 4))).to.equal(JSON.stringify({ b: [], c: {} }, null, 4));
  });

  it('sort as Array.sort does, which is stable', () => {
    const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.nat()), { maxLength: 400 });
    fc.assert(
      fc.property(items, (list) => {
        const byFirst = ([one]: readonly number[], [other]: readonly number[]): number => (one ?? 0) - (other ?? 0);
        expect(finish(sorted(list, byFirst))).to.deep.equal([...list].sort(byFirst));
      }),
    );
  });

  it('yield after a thousand steps at most', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 50_000);
    expect(slicesOf(jsonText(many))).to.be.at.least(50_000 / STEPS_PER_SLICE);
    expect(slicesOf(jsonText(many.map((at) => ({ at }))))).to.be.at.least(100_000 / STEPS_PER_SLICE);
    let comparisons = 0;
    let longest = 0;
    const steps = sorted(many, (one, other) => {
      comparisons++;
      return one - other;
    });
    for (let done = false; !done;) {
      const before = comparisons;
      done = steps.next().done === true;
      longest = Math.max(longest, comparisons - before);
    }
    expect(longest).to.be.at.most(2 * STEPS_PER_SLICE);
    const isOver = createSlice();
    expect([isOver(STEPS_PER_SLICE - 1), isOver(), isOver(), isOver(5000), isOver()]).to.deep.equal([
      false,
      true,
      false,
      true,
      false,
    ]);
  });
});
