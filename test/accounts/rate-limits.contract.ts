// Contract tests of the port `RateLimits`: limits, concurrency, time, rejection.
import { expect } from 'chai';
import fc from 'fast-check';
import type { RateLimit, RateLimits } from '../../src/accounts/rate-limits.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../support/clock.js';
import { turnsDuring } from '../support/turns.js';
import { contract } from '../platform/stores/contract.js';

interface RateLimitsUnderTest {
  readonly limits: RateLimits;
  /** Opens the store again, like after a restart. Stored limits must still apply. */
  readonly reopened: () => RateLimits | Promise<RateLimits>;
}

interface Options {
  /** True if the store deletes expired counters itself. By default, a job has to delete them. */
  readonly expires?: boolean;
}

const limitOf = (subject: string, limit = 10, windowMs = 15 * MINUTE_MS): RateLimit => ({
  key: subject,
  rules: [{ limit, windowMs }],
});
const two: RateLimit = {
  key: 'two',
  rules: [
    { limit: 3, windowMs: MINUTE_MS },
    { limit: 5, windowMs: HOUR_MS },
  ],
};

export const rateLimitsContract = contract<RateLimitsUnderTest, Options>(
  'RateLimits',
  (under, { expires = false } = {}) => {
    async function spendable(of: readonly RateLimit[], tries = 200, limits = under.limits): Promise<number> {
      let spent = 0;
      for (let index = 0; index < tries; index++) if ((await limits.consume(of)).ok) spent++;
      return spent;
    }

    it('allows each key its limit', async () => {
      expect(await spendable([limitOf('a')])).to.equal(10);
      expect(await spendable([limitOf('b', 3)])).to.equal(3);
      expect(await spendable([limitOf('a')])).to.equal(0);
    });

    it('admits exactly the limit of any number of concurrent requests, over two openings', async () => {
      const beside = await under.reopened();
      const outcomes = await Promise.all(
        Array.from({ length: 500 }, (_, index) => (index % 2 ? under.limits : beside).consume([limitOf('flood', 37)])),
      );
      expect(outcomes.filter(({ ok }) => ok)).to.have.length(37);
    });

    it('enforces every rule, and returns the wait of the exceeded rules', async () => {
      expect(await spendable([two])).to.equal(3);
      under.clock.advance(20_000);
      expect(await under.limits.consume([two])).to.include({ ok: false, retryAfterSeconds: 40 });
      under.clock.advance(40_000);
      expect(await spendable([two])).to.equal(2);
      expect(await under.limits.consume([two])).to.include({ ok: false, retryAfterSeconds: 3540 });
      under.clock.advance(HOUR_MS);
      expect(await spendable([two])).to.equal(3);
    });

    it('returns the longest wait of several exceeded rules, in any order', async () => {
      const rules = [
        { limit: 2, windowMs: MINUTE_MS },
        { limit: 2, windowMs: HOUR_MS },
      ];
      for (const [key, inOrder] of [
        ['shortest first', rules],
        ['longest first', rules.toReversed()],
      ] as const) {
        expect(await spendable([{ key, rules: inOrder }], 2)).to.equal(2);
        const outcome = await under.limits.consume([{ key, rules: inOrder }]);
        expect(outcome, key).to.include({ ok: false, retryAfterSeconds: 3600 });
      }
    });

    it('admits the next request after the returned wait, also in the middle of a second', async () => {
      expect(await spendable([two])).to.equal(3);
      under.clock.advance(20_300);
      const outcome = await under.limits.consume([two]);
      expect(outcome).to.include({ ok: false, retryAfterSeconds: 40 });
      under.clock.advance(40_000);
      expect(await under.limits.consume([two])).to.include({ ok: true });
    });

    it('consumes all limits or none', async () => {
      expect(await spendable([limitOf('small', 2)])).to.equal(2);
      expect(await spendable([limitOf('large', 10), limitOf('small', 2)])).to.equal(0);
      expect(await spendable([limitOf('small', 2), limitOf('large', 10)])).to.equal(0);
      expect(await spendable([limitOf('large', 10)])).to.equal(10);
    });

    it('names exactly the keys of the limits that are used up', async () => {
      const [open, small, none] = [limitOf('open', 5), limitOf('small', 2), limitOf('none', 0)];
      await spendable([small], 2);
      const keysOf = async (limits: readonly RateLimit[]) => {
        const outcome = await under.limits.consume(limits);
        return outcome.ok ? 'consumed' : outcome.keys;
      };
      expect(await keysOf([open, small])).to.deep.equal(['small']);
      expect(await keysOf([small, open, none])).to.deep.equal(['small', 'none']);
      expect(await keysOf([open])).to.equal('consumed');
    });

    it('consumes all limits or none, also for simultaneous requests', async () => {
      const both = [limitOf('wide', 20), limitOf('narrow', 3)];
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => under.limits.consume(both)));
      expect(outcomes.filter(({ ok }) => ok)).to.have.length(3);
      expect(await spendable([limitOf('wide', 20)])).to.equal(17);
    });

    it('refunds, never beyond the limit', async () => {
      expect(await spendable([two])).to.equal(3);
      await under.limits.refund([two]);
      expect(await spendable([two])).to.equal(1);
      for (let index = 0; index < 20; index++) await under.limits.refund([two]);
      expect(await spendable([two])).to.equal(3);
    });

    it('does not refund a window that has ended', async () => {
      expect(await spendable([limitOf('over', 1, MINUTE_MS)])).to.equal(1);
      under.clock.advance(MINUTE_MS);
      await under.limits.refund([limitOf('over', 1, MINUTE_MS)]);
      expect(await spendable([limitOf('over', 1, MINUTE_MS)])).to.equal(1);
    });

    it('starts a window with the first use, and a new one after its end', async () => {
      await under.limits.consume([limitOf('window', 2)]);
      under.clock.advance(15 * MINUTE_MS - 1);
      expect(await spendable([limitOf('window', 2)])).to.equal(1);
      under.clock.advance(1);
      expect(await spendable([limitOf('window', 2)])).to.equal(2);
      expect(await under.limits.consume([limitOf('window', 2)])).to.include({ ok: false, retryAfterSeconds: 900 });
      under.clock.advance(15 * MINUTE_MS - 1);
      expect(await under.limits.consume([limitOf('window', 2)])).to.include({ ok: false, retryAfterSeconds: 1 });
    });

    it('allows the full limit after a reset, of that key only', async () => {
      await spendable([two]);
      await spendable([limitOf('other', 1)]);
      await under.limits.reset('two');
      expect(await spendable([two])).to.equal(3);
      expect(await spendable([limitOf('other', 1)])).to.equal(0);
    });

    it('only prunes expired windows', async () => {
      await spendable([two]);
      under.clock.advance(MINUTE_MS);
      await under.limits.prune();
      expect(await spendable([two]), 'the hour goes on').to.equal(2);
    });

    if (!expires)
      it('prunes a large backlog in chunks, so that other work runs in between', async () => {
        const crowd = Array.from({ length: 50_000 }, (_, index) =>
          limitOf(`somebody ${index}`, 1, index % 1000 === 0 ? HOUR_MS : MINUTE_MS),
        );
        await under.limits.consume(crowd);
        under.clock.advance(MINUTE_MS);
        expect(await turnsDuring(under.limits.prune())).to.be.at.least(50);
        for (const index of [0, 25_000, 49_000])
          expect(await spendable([crowd[index]!]), 'the hour goes on').to.equal(0);
        for (const index of [1, 25_001, 49_999]) expect(await spendable([crowd[index]!])).to.equal(1);
      });

    it('treats a window that starts in the future as expired', async () => {
      under.clock.advance(365 * DAY_MS);
      await spendable([limitOf('ahead')]);
      await spendable([limitOf('pruned')]);
      under.clock.advance(-365 * DAY_MS);
      expect(await spendable([limitOf('ahead')])).to.equal(10);
      expect(await under.limits.consume([limitOf('ahead')])).to.include({ ok: false, retryAfterSeconds: 900 });
      await under.limits.prune();
      expect(await spendable([limitOf('pruned')])).to.equal(10);
      expect(await spendable([limitOf('ahead')]), 'what runs is not pruned').to.equal(0);
    });

    it('survives a restart', async () => {
      await spendable([limitOf('kept')], 7);
      expect(await spendable([limitOf('kept')], 200, await under.reopened())).to.equal(3);
    });

    it('allows as much as a plain counter, for any order of consuming, refunding, waiting and setting the clock', async () => {
      const step = fc.oneof(
        fc.constant('spend' as const),
        fc.constant('back' as const),
        fc.integer({ min: 1, max: 90_000 }),
        fc.integer({ min: -2 * HOUR_MS, max: -1 }),
      );
      let run = 0;
      const isOver = ({ beganMs, windowMs }: { readonly beganMs: number; readonly windowMs: number }) =>
        under.clock.now() >= beganMs + windowMs || under.clock.now() < beganMs;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const mine: RateLimit = { ...two, key: `run ${run++}` };
          const windows = mine.rules.map((rule) => ({ ...rule, beganMs: -Infinity, spent: 0 }));
          for (const each of steps) {
            if (typeof each === 'number') under.clock.advance(each);
            else if (each === 'back') {
              await under.limits.refund([mine]);
              for (const window of windows) window.spent = Math.max(0, window.spent - 1);
            } else {
              for (const window of windows) if (isOver(window)) window.spent = 0;
              const allowed = windows.every(({ spent, limit }) => spent < limit);
              expect((await under.limits.consume([mine])).ok).to.equal(allowed);
              if (!allowed) continue;
              for (const window of windows) {
                if (isOver(window)) window.beganMs = under.clock.now();
                window.spent += 1;
              }
            }
          }
        }),
        { numRuns: 100 },
      );
    });
  },
);
