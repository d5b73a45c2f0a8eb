// Hash of a visitor: equal within the same day and counter, and otherwise different.
import { expect } from 'chai';
import { utcDay } from '../../src/platform/utc-day.js';
import type { CounterName } from '../../src/visitor-counters/counter.js';
import { createVisitorHash } from '../../src/visitor-counters/visitor-hash.js';

const DAY = utcDay(Date.UTC(2026, 4, 1));
const NEXT_DAY = utcDay(Date.UTC(2026, 4, 2));
const VISITOR = { counter: 'home' as CounterName, address: '192.0.2.7', userAgent: 'Browser/1' };

describe('the hash of a visitor', () => {
  const hashOf = createVisitorHash('a secret');

  it('is the same in every process', () => {
    const hash = hashOf(VISITOR, DAY);
    expect(hash).to.match(/^[0-9a-f]{32}$/);
    hashOf(VISITOR, NEXT_DAY);
    expect(hashOf(VISITOR, DAY)).to.equal(hash);
    expect(createVisitorHash('a secret')(VISITOR, DAY)).to.equal(hash);
  });

  it('differs by day, counter, address, user agent and secret', () => {
    const hashes = [
      hashOf(VISITOR, DAY),
      hashOf(VISITOR, NEXT_DAY),
      hashOf({ ...VISITOR, counter: 'other' as CounterName }, DAY),
      hashOf({ ...VISITOR, address: '192.0.2.8' }, DAY),
      hashOf({ ...VISITOR, userAgent: 'Browser/2' }, DAY),
      createVisitorHash('another secret')(VISITOR, DAY),
    ];
    expect(new Set(hashes).size).to.equal(hashes.length);
  });
});
