// Reports that an account has used 80 % of a bucket's limit, or all of it. Each of the two reports is made once per
// bucket and day. The reports use the counts that admissions return, so they need no further read of a store.
import { z } from 'zod';
import type { AccountActors } from '../accounts/account-actors.js';
import type { Account, AccountId } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { featureValue } from '../accounts/feature-value.js';
import { BUCKETS, type Bucket, type Tier } from '../accounts/plan.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import { isCode } from '../platform/errors.js';
import type { BackgroundTasks } from '../platform/jobs/background-tasks.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { AdmissionRequest, QuotaReading } from './quota-admissions.js';
import type { QuotaUse } from './usage-counter.js';

/** Shares of a limit that are reported. */
export const REPORTED_PERCENTS = [80, 100] as const;
/** Maximum number of reports that this process remembers. Each takes some bytes. */
const MAX_REMEMBERED = 50_000;

const stored = featureValue(
  'quota-reports',
  z.object({
    /** UTC day of the newest report; empty if there was none. */
    day: z.string().default(''),
    /** Highest reported percentage of each bucket on this day. */
    percents: z.partialRecord(z.enum(BUCKETS), z.int()).default({}),
  }),
);

interface NearLimit {
  readonly accountId: AccountId;
  readonly bucket: Bucket;
  readonly tier: Tier;
  readonly day: UtcDay;
  readonly used: number;
  readonly limit: number;
}

export interface QuotaReport extends NearLimit {
  /** Percentages that are reported now, in rising order. At least one. */
  readonly percents: readonly (typeof REPORTED_PERCENTS)[number][];
}

/**
 * Returns the account with the data that a feature stores about a report. May be called again with a newer version of
 * the account.
 */
export type QuotaListener = (account: Account, report: QuotaReport, at: Date) => Account;

export type QuotaReports = ReturnType<typeof createQuotaReports>;

interface Ports {
  readonly actors: Pick<AccountActors, 'run'>;
  readonly background: Pick<BackgroundTasks, 'start'>;
}

export function createQuotaReports({ actors, background }: Ports) {
  const listeners: QuotaListener[] = [];
  const remembered = lruCache<string, true>(MAX_REMEMBERED);

  /**
   * Reports in the background that a limit is nearly or fully used. If a crash prevents the report, the next counted
   * request starts it again.
   */
  function report(near: NearLimit): void {
    const { accountId, bucket, day, used, limit } = near;
    const name = `${accountId} ${day} ${bucket} ${used >= limit}`;
    if (remembered.has(name)) return;
    remembered.set(name, true);
    background.start(async () => {
      try {
        await actors.run(accountId, SYSTEM, (account, at) => reported(account, near, at, listeners));
      } catch (error) {
        remembered.delete(name);
        if (!isCode(error, 'not_found')) throw error;
      }
    });
  }

  return {
    /**
     * Receives the quota as counted by an admission. `bucketUse`: use of the account's bucket; given only if `quota` is
     * the quota of a publishable key.
     */
    notice(
      { accountId, bucket }: Pick<AdmissionRequest, 'accountId' | 'bucket'>,
      quota: QuotaReading,
      bucketUse: QuotaUse | undefined,
    ): void {
      const { limit, used } = bucketUse ?? quota;
      // Runs for every counted request, so the usual case takes only this comparison.
      if (limit === null || used * 100 < limit * REPORTED_PERCENTS[0] || limit === 0) return;
      if ((quota.of === 'key' && !bucketUse) || listeners.length === 0) return;
      const { tier, day } = quota;
      report({ accountId, bucket, tier, day, used, limit });
    },
    /**
     * Adds a listener. A listener may change data of the account. These changes are saved in the same write that
     * records the percentages as reported.
     */
    listen: (listener: QuotaListener): void => void listeners.push(listener),
  };
}

/**
 * Reports the percentages that were not reported yet. The account's record lists the reported percentages, because any
 * process may report.
 */
function reported(account: Account, near: NearLimit, at: Date, listeners: readonly QuotaListener[]): Change {
  const { bucket, day, used, limit } = near;
  const before = stored.of(account);
  if (account.suspended || before.day > day) return unchanged(account);
  const known = before.day === day ? before.percents : {};
  const reached = used >= limit ? 100 : REPORTED_PERCENTS[0];
  const percents = REPORTED_PERCENTS.filter((percent) => percent > (known[bucket] ?? 0) && percent <= reached);
  if (percents.length === 0) return unchanged(account);
  const noted = stored.set(account, { day, percents: { ...known, [bucket]: reached } });
  // Listeners get the account with the next version number, because the account is then saved with that number.
  const saved = { ...noted, version: account.version + 1 };
  const next = listeners.reduce((current, listener) => listener(current, { ...near, percents }, at), saved);
  return { account: next, facts: [], result: undefined };
}
