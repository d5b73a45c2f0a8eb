// Edit distance of words, compared with a reference implementation, and the letter masks that exclude distant words
// early.
import { expect } from 'chai';
import fc from 'fast-check';
import { bitCount, maxEdits, editDistance, letterMask } from '../../src/platform/text/typing-errors.js';
import { repeated } from '../support/extent.js';

/** Computes the complete matrix by the definition of optimal string alignment. */
function textbook(a: string, b: string): number {
  const cost: number[][] = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(
        cost[i - 1]![j]! + 1,
        cost[i]![j - 1]! + 1,
        cost[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, cost[i - 2]![j - 2]! + 1);
      cost[i]![j] = least;
    }
  }
  return cost[a.length]![b.length]!;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '1', 'é'), maxLength: 12 });

describe('edit distance', () => {
  it('computes the optimal string alignment distance up to the limit', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, limit) => {
        expect(editDistance(a, b, limit)).to.equal(Math.min(textbook(a, b), limit + 1));
      }),
      { numRuns: repeated(1000, 5000) },
    );
  });

  it('counts a swap of neighbors as one edit', () => {
    expect(editDistance('gihtub', 'github', 1)).to.equal(1);
    expect(editDistance('a'.repeat(200), 'a'.repeat(200), 2)).to.equal(3);
  });

  it('never excludes a near word by its letter mask', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const near = textbook(a, b);
        const [maskA, maskB] = [letterMask(a), letterMask(b)];
        expect(bitCount(maskA & ~maskB)).to.be.at.most(near);
        expect(bitCount(maskB & ~maskA)).to.be.at.most(near);
      }),
      { numRuns: repeated(1000, 3000) },
    );
  });

  it('allows no edit in short words and two in long ones', () => {
    expect([3, 4, 7, 8, 20].map(maxEdits)).to.deep.equal([0, 1, 1, 2, 2]);
  });
});
