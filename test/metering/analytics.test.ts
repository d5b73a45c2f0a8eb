// Usage analytics: a report contains every day of the range, and its sums match its numbers.
import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountId } from '../../src/accounts/account.js';
import { BUCKETS, type Bucket } from '../../src/accounts/plan.js';
import { addDays, type UtcDay } from '../../src/platform/utc-day.js';
import type { UsageOfDay } from '../../src/metering/usage-history.js';
import { createAnalytics } from '../../src/metering/analytics.js';

const TODAY = '2026-11-22' as UtcDay;
const accountId = 'AccountId012' as AccountId;
const daysAgo = fc.integer({ min: 0, max: 400 });
const counts = fc.uniqueArray(
  fc.record({
    day: daysAgo.map((days) => addDays(TODAY, -days)),
    bucket: fc.constantFrom(...BUCKETS),
    used: fc.integer({ min: 0, max: 1_000_000 }),
  }),
  { maxLength: 200, selector: ({ day, bucket }) => `${day} ${bucket}` },
);
const range = fc.tuple(daysAgo, fc.integer({ min: 0, max: 365 })).map(([last, length]) => ({
  to: addDays(TODAY, -last),
  from: addDays(TODAY, -Math.min(400, last + length)),
}));
const bucketOrAll = fc.option(fc.constantFrom(...BUCKETS), { nil: undefined });

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

interface UsageCount {
  readonly day: UtcDay;
  readonly bucket: Bucket;
  readonly used: number;
}

function byDay(counted: readonly UsageCount[]): UsageOfDay[] {
  const days = new Map<UtcDay, Record<string, number>>();
  for (const { day, bucket, used } of counted) days.set(day, { ...days.get(day), [bucket]: used });
  return [...days].map(([day, used]) => ({ day, used }));
}

describe('usage analytics', () => {
  it('have every day of the range once, and sums that agree with the counts', async () => {
    await fc.assert(
      fc.asyncProperty(counts, range, bucketOrAll, async (counted: readonly UsageCount[], days, bucket) => {
        const inRange = counted.filter(({ day }) => day >= days.from && day <= days.to);
        const analytics = createAnalytics({
          usage: { range: async () => byDay(inRange) },
          responses: { range: async () => [] },
        });
        const report = await analytics.usage({ accountId, today: TODAY, tier: 'free', ...days, bucket });
        const wanted = inRange.filter((count) => bucket === undefined || count.bucket === bucket);
        const lengthMs = Date.parse(days.to) - Date.parse(days.from);
        expect(report.days).to.have.length(lengthMs / 86_400_000 + 1);
        expect(new Set(report.days.map(({ date }) => date)).size).to.equal(report.days.length);
        const buckets = bucket === undefined ? [...BUCKETS] : [bucket];
        expect(Object.keys(report.totals)).to.deep.equal(buckets);
        for (const each of buckets) {
          const total = sum(wanted.filter((count) => count.bucket === each).map(({ used }) => used));
          expect(report.totals[each]).to.equal(total);
          expect(sum(report.days.map((day) => day.buckets[each]!))).to.equal(total);
        }
        for (const { date, total, buckets: used } of report.days) {
          expect(Object.keys(used)).to.deep.equal(buckets);
          expect(total).to.equal(sum(wanted.filter(({ day }) => day === date).map((count) => count.used)));
        }
      }),
    );
  });
});
