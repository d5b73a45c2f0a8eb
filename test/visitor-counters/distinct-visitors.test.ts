// Number of distinct visitors: exact if small, estimated if large, kept after a restart, and in limited memory.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { distinctVisitors } from '../../src/visitor-counters/distinct-visitors.js';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

describe('distinct visitors', () => {
  it('are counted exactly up to 2,047, in any order, with any repetitions', () => {
    const visitors = distinctVisitors();
    for (let round = 0; round < 3; round++)
      for (let index = 0; index < 2047; index++) visitors.add(hashOf(`${(index * 7919) % 2047}`));
    expect(visitors.count()).to.equal(2047);
  });

  it('are estimated beyond, with the documented standard error', () => {
    const errors: number[] = [];
    for (let trial = 0; trial < 30; trial++) {
      const visitors = distinctVisitors();
      for (let index = 0; index < 20_000; index++) visitors.add(hashOf(`${trial} ${index}`));
      errors.push(visitors.count() / 20_000 - 1);
    }
    const standardError = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(standardError).to.be.below(0.03);
    expect(Math.abs(errors.reduce((sum, error) => sum + error, 0) / errors.length)).to.be.below(0.015);
  });

  it('never become fewer', () => {
    const visitors = distinctVisitors();
    let before = 0;
    for (let index = 0; index < 10_000; index++) {
      visitors.add(hashOf(`${index}`));
      expect(visitors.count()).to.be.at.least(before);
      before = visitors.count();
    }
  });

  for (const count of [0, 1, 31, 32, 33, 2047, 2048, 5000]) {
    it(`continue from the bytes of ${count}, which are at most 16 KB`, () => {
      const visitors = distinctVisitors();
      for (let index = 0; index < count; index++) visitors.add(hashOf(`${index}`));
      const bytes = visitors.bytes();
      expect(bytes.length).to.equal(8 * Math.min(count, 2048));
      const reopened = distinctVisitors(Buffer.from(bytes));
      expect(reopened.count()).to.equal(visitors.count());
      for (let index = 0; index < 2 * count + 1; index++)
        for (const one of [visitors, reopened]) one.add(hashOf(`${index}`));
      expect(reopened.count()).to.equal(visitors.count());
      expect(Buffer.from(reopened.bytes())).to.deep.equal(Buffer.from(visitors.bytes()));
    });
  }
});
