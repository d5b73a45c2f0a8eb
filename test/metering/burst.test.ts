// Burst limit of an account: requests that cost more than the tokens that are left, and the share of each visitor.
import { expect } from 'chai';
import fc from 'fast-check';
import { ADDRESS_REFILL, addressBurst, keptForOthers, takeCost, type BurstTokens } from '../../src/metering/burst.js';

const RATE = 48;
const ofKey = (shared: number): BurstTokens => ({ shared, own: Infinity });

describe('the burst of an account', () => {
  it('admits while there is a token, and leaves a debt', () => {
    expect(takeCost(ofKey(1), 20, RATE)).to.deep.equal({ ok: true, left: { shared: -19, own: Infinity } });
    expect(takeCost(ofKey(0.9), 1, RATE)).to.deep.equal({ ok: false, retryAfterSeconds: 1 });
    expect(takeCost(ofKey(-100), 1, RATE)).to.deep.equal({ ok: false, retryAfterSeconds: 3 });
  });

  it('tells when the shared tokens suffice, even if only a full bucket does', () => {
    expect(keptForOthers(4) + 1).to.equal(4);
    expect(takeCost({ shared: 0, own: 0 }, 1, 4)).to.deep.equal({ ok: false, retryAfterSeconds: 1 });
    expect(takeCost({ shared: 0, own: 0 }, 2, 4)).to.deep.equal({ ok: false, retryAfterSeconds: 4 });
  });

  it('leaves half of it to others after the first request of an address', () => {
    let tokens: BurstTokens = { shared: RATE, own: addressBurst(RATE) };
    let taken = 0;
    for (let outcome = takeCost(tokens, 1, RATE); outcome.ok; outcome = takeCost(tokens, 1, RATE)) {
      tokens = outcome.left;
      taken++;
    }
    expect([taken, tokens]).to.deep.equal([RATE / 2, { shared: RATE / 2, own: 0 }]);
    expect([1, 2, 3, 50].map(addressBurst)).to.deep.equal([1, 1, 2, 25]);
    expect([1, 2, 3, 4, 10, 50].map(keptForOthers)).to.deep.equal([0, 1, 2, 3, 7, 37]);
  });

  it('refills an address by a sixteenth, and states the wait for a cost beyond its share', () => {
    expect(ADDRESS_REFILL).to.equal(1 / 16);
    for (const [own, seconds] of [
      [0.99, 1],
      [-2, 1],
      [-3, 2],
      [-5, 2],
      [-5.01, 3],
    ] as const)
      expect(takeCost({ shared: 10, own }, 13, RATE), String(own)).to.deep.equal({
        ok: false,
        retryAfterSeconds: seconds,
      });
  });

  it('leaves three quarters to others once an address has used up its own share', () => {
    const kept = keptForOthers(RATE);
    expect(takeCost({ shared: 1, own: 1 }, 3, RATE)).to.have.nested.property('left.own', -2);
    expect(takeCost({ shared: kept + 1, own: 0 }, 1, RATE)).to.deep.equal({ ok: true, left: { shared: kept, own: 0 } });
    expect(takeCost({ shared: kept, own: 0 }, 1, RATE)).to.include({ ok: false });
    expect(takeCost({ shared: RATE, own: 0 }, RATE / 4 + 1, RATE), 'a cost beyond what is not kept').to.include({
      ok: false,
    });
  });

  it('admits after `retryAfterSeconds`, and never lets an address exceed its share', () => {
    const tokens = fc.record({
      shared: fc.integer({ min: -50, max: RATE }),
      own: fc.oneof(fc.integer({ min: -50, max: addressBurst(RATE) }), fc.constant(Infinity)),
    });
    fc.assert(
      fc.property(tokens, fc.integer({ min: 1, max: 50 }), ({ shared, own }, cost) => {
        const outcome = takeCost({ shared, own }, cost, RATE);
        if (outcome.ok) {
          if (own < 1) expect(outcome.left.shared).to.be.at.least(keptForOthers(RATE));
          return;
        }
        const refill = outcome.retryAfterSeconds * RATE;
        const later = { shared: Math.min(RATE, shared + refill), own: own + refill * ADDRESS_REFILL };
        expect(takeCost(later, cost, RATE).ok).to.equal(true);
      }),
    );
  });
});
