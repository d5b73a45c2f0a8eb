// Token bucket with a clock that jumps.
import { expect } from 'chai';
import fc from 'fast-check';
import { fullBucket, takeToken, type TokenBucket } from '../../../src/platform/concurrency/token-bucket.js';

const HOUR_MS = 3_600_000;

/**
 * Sends requests, and lets the clock jump between them. `forwardMs` is the sum of the forward jumps. Backward jumps do
 * not count, because they do not refill the bucket.
 */
function admitted(
  perSecond: number,
  jumpsMs: readonly number[],
): { readonly count: number; readonly forwardMs: number; readonly bucket: TokenBucket; readonly nowMs: number } {
  let nowMs = 10 * HOUR_MS;
  let bucket = fullBucket(perSecond, nowMs);
  let [count, forwardMs] = [0, 0];
  for (const jumpMs of jumpsMs) {
    nowMs += jumpMs;
    forwardMs += Math.max(0, jumpMs);
    const outcome = takeToken(bucket, perSecond, nowMs);
    bucket = outcome.bucket;
    if (outcome.ok) count++;
  }
  return { count, forwardMs, bucket, nowMs };
}

const jump = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 }), fc.integer({ min: -HOUR_MS, max: HOUR_MS }));
const jumps = fc.array(jump, { maxLength: 300 });

describe('the token bucket, however the clock is set', () => {
  const rate = fc.integer({ min: 1, max: 50 });

  it("never grants more than one second's tokens plus the tokens of the elapsed time", () => {
    fc.assert(
      fc.property(rate, jumps, (perSecond, jumpsMs) => {
        const { count, forwardMs } = admitted(perSecond, jumpsMs);
        expect(count).to.be.at.most(perSecond + (forwardMs * perSecond) / 1000 + 1e-6);
      }),
    );
  });

  it('grants a token after `retryAfterSeconds` in any state', () => {
    fc.assert(
      fc.property(rate, jumps, (perSecond, jumpsMs) => {
        const { bucket, nowMs } = admitted(perSecond, jumpsMs);
        const first = takeToken(bucket, perSecond, nowMs);
        if (first.ok) return;
        expect(takeToken(first.bucket, perSecond, nowMs + first.retryAfterSeconds * 1000).ok).to.equal(true);
      }),
    );
  });

  it('refills within a second after the clock was set back, not when it has caught up', () => {
    const empty = admitted(
      50,
      Array.from({ length: 60 }, () => 0),
    );
    expect(empty.count).to.equal(50);
    const setBackMs = empty.nowMs - HOUR_MS;
    const rejected = takeToken(empty.bucket, 50, setBackMs);
    expect(rejected.ok).to.equal(false);
    expect(takeToken(rejected.bucket, 50, setBackMs + 20).ok).to.equal(true);
  });
});
