// Listeners to counts near the limit of a bucket. Admissions pass their counts to this module, so that no further call
// of a store is needed.
import type { AccountId } from '../accounts/account.js';
import type { Bucket, Tier } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { AdmissionRequest, QuotaReading } from './quota-admissions.js';
import type { QuotaUse } from './usage-counter.js';

/** Percentage of the limit from which counts are reported to the listeners. */
export const THRESHOLD_PERCENT = 80;

export interface NearLimit {
  readonly accountId: AccountId;
  readonly bucket: Bucket;
  readonly tier: Tier;
  readonly day: UtcDay;
  readonly used: number;
  readonly limit: number;
}

export type QuotaListeners = ReturnType<typeof createQuotaListeners>;

export function createQuotaListeners() {
  const listeners: ((near: NearLimit) => void)[] = [];
  return {
    /**
     * Reports the count of an admission to the listeners. `bucketUse`: state of the account's bucket, if `quota` is the
     * quota of a publishable key.
     */
    notice(
      { accountId, bucket }: Pick<AdmissionRequest, 'accountId' | 'bucket'>,
      quota: QuotaReading,
      bucketUse: QuotaUse | undefined,
    ): void {
      const { limit, used } = bucketUse ?? quota;
      // The common case takes only this comparison, because the function runs for every counted request.
      if (limit === null || used * 100 < limit * THRESHOLD_PERCENT || limit === 0) return;
      if (quota.of === 'key' && !bucketUse) return;
      const { tier, day } = quota;
      for (const listener of listeners) listener({ accountId, bucket, tier, day, used, limit });
    },
    /**
     * Calls `listener` for every counted request above the threshold. The listener must return immediately and must not
     * throw.
     */
    listen: (listener: (near: NearLimit) => void): void => void listeners.push(listener),
  };
}
