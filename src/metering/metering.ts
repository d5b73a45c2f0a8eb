// Metering: key check, quota and usage report for requests.
import type { Account, AccountId } from '../accounts/account.js';
import type { AccountUsage, UsageReport } from '../accounts/account-usage.js';
import { BurstError } from '../accounts/authentication/known-account.js';
import type { Credential } from '../accounts/credential.js';
import { BUCKETS, type Plans, type Tier } from '../accounts/plan.js';
import { tierAt } from '../accounts/tier.js';
import { utcDay } from '../platform/utc-day.js';
import { inWords, SECOND_MS } from '../platform/time.js';
import { AppError, isCode } from '../platform/errors.js';
import type {
  Admission,
  CountedRequest,
  QuotaAdmissions,
  AdmissionRequest,
  QuotaReading,
  KeyRejection,
  OriginRejection,
  UsageReading,
} from './quota-admissions.js';
import type { QuotaReports } from './quota-reports.js';
import { usedOf } from './usage-counter.js';
import type { UsageHistory } from './usage-history.js';

export type { UsageReport } from '../accounts/account-usage.js';
export type { AdmissionRequest, CountedRequest, QuotaReading } from './quota-admissions.js';

export type Metering = ReturnType<typeof createMetering>;

export interface AdmissionResult {
  readonly quota: QuotaReading;
  /** True if the request is within the day's quota. */
  readonly admitted: boolean;
  /** Ids of the records (pages) that store the account's own brands, separated by spaces; empty if there are none. */
  readonly ownBrands: string;
}

interface MeteringOptions {
  readonly admissions: QuotaAdmissions;
  readonly plans: Plans;
  /** Receives the counts of admissions. */
  readonly quotaReports?: Pick<QuotaReports, 'notice'>;
}

export function createMetering({ admissions, plans, quotaReports }: MeteringOptions) {
  /**
   * Checks the key and counts the request against the limits. Throws AppError: `invalid_api_key`, `account_suspended`,
   * `forbidden`, `rate_limited`, `unavailable`.
   */
  async function admit(request: AdmissionRequest): Promise<AdmissionResult> {
    const admission = await admissions.admit(request);
    if (admission.rejected === null || admission.rejected === 'quota') {
      const { rejected, quota, ownBrands = '', bucketUse } = admission;
      if (request.charge === 'count') quotaReports?.notice(request, quota, bucketUse);
      return { quota, admitted: rejected === null, ownBrands };
    }
    throw admission.rejected === 'burst' ? burstError(admission, request) : rejectionError(admission);
  }

  return {
    admit,

    /**
     * Checks the key, subtracts one token from the key's burst, and returns the account's tier. Throws AppError
     * `invalid_api_key`, `account_suspended`, `rate_limited`, `unavailable`.
     */
    async verify(credential: Credential): Promise<Tier> {
      // The bucket has no effect here, because only the burst limit is charged, and all buckets share it.
      const { quota } = await admit({ ...credential, bucket: 'catalog', charge: 'burst' });
      return quota.tier;
    },

    refund: (counted: CountedRequest): Promise<void> => admissions.refund(counted),

    /** Returns today's usage of the key's account. Throws AppError `invalid_api_key` or `account_suspended`. */
    usage: async (credential: Credential): Promise<UsageReport> =>
      report(await admissions.usage(credential).catch(throwUnreadable), plans),
    /**
     * Returns today's usage of the account, for a signed-in caller. Throws AppError `invalid_api_key` or
     * `account_suspended`.
     */
    usageOf: async (accountId: AccountId): Promise<UsageReport> =>
      report(await admissions.usageOf(accountId).catch(throwUnreadable), plans),

    /** Returns today's requests of the account's publishable keys, by key id. */
    async usageByKey(accountId: AccountId): Promise<UsageReading['usedByKey']> {
      const reading = await admissions.usageOf(accountId).catch(throwUnreadable);
      if ('rejected' in reading) throw rejectionError(reading);
      return reading.usedByKey;
    },
  };
}

/**
 * Replaces `unavailable` by `internal_error`. Clients retry `unavailable`, but a report is not important enough for a
 * retry.
 */
function throwUnreadable(error: unknown): never {
  throw isCode(error, 'unavailable')
    ? new AppError('internal_error', 'The usage counters cannot be read.', { cause: error })
    : error;
}

function report(reading: UsageReading | KeyRejection, plans: Plans): UsageReport {
  if ('rejected' in reading) throw rejectionError(reading);
  return usageReport(reading, plans);
}

/** Returns the counters of one day and the daily limits of the account's tier. */
function usageReport(reading: Omit<UsageReading, 'usedByKey'>, plans: Plans): UsageReport {
  const { daily } = plans[reading.tier];
  const endpoints = Object.fromEntries(
    BUCKETS.map((bucket) => [bucket, { used: reading.used[bucket], limit: daily[bucket] }]),
  ) as UsageReport['endpoints'];
  return { date: reading.day, tier: reading.tier, endpoints };
}

type BurstRejection = Extract<Admission, { rejected: 'burst' }>;

/**
 * Returns the error for an exceeded burst. For a publishable key, the message does not contain the limit, because the
 * limit would tell page visitors which plan the account has.
 */
function burstError(
  { perSecond, retryAfterSeconds, tier }: BurstRejection,
  { accountId, allowingOrigins }: Credential,
): AppError {
  const message = allowingOrigins
    ? 'This publishable key sent too many requests per second.'
    : `Too many requests per second: your plan allows ${perSecond}, and an expensive request counts more than once.`;
  const wait = inWords(retryAfterSeconds * SECOND_MS);
  return new BurstError(`${message} Wait ${wait}, then send requests more slowly.`, retryAfterSeconds, {
    id: accountId,
    tier,
  });
}

function rejectionError(admission: KeyRejection | OriginRejection): AppError {
  switch (admission.rejected) {
    case 'key':
      return new AppError(
        'invalid_api_key',
        'This API key is not valid: it was replaced or revoked, its account was deleted, or it belongs to ' +
          'another service.',
      );
    case 'suspended':
      return new AppError('account_suspended');
    case 'origin':
      return new AppError(
        'forbidden',
        'This publishable key is not allowed on the page that sent the request. The owner of the key can check ' +
          'and change the allowed hosts (GET /auth/publishable-keys). Pages that send neither Origin nor Referer ' +
          'are not allowed.',
      );
  }
}

interface UsageOptions {
  readonly metering: Pick<Metering, 'usageByKey'>;
  readonly usage: Pick<UsageHistory, 'range'>;
  readonly plans: Plans;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

/** Implements the port `AccountUsage` of the feature `accounts`. */
export function createAccountUsage({ metering, usage, plans, now }: UsageOptions): AccountUsage {
  return {
    range: (id, days) => usage.range(id, days),
    byKey: (id) => metering.usageByKey(id),
    async today(account: Account) {
      const [day, tier] = [utcDay(now()), tierAt(account, new Date(now()))];
      const [today] = await usage.range(account.id, { from: day, to: day });
      return usageReport({ day, tier, ...usedOf(today?.used ?? {}) }, plans);
    },
  };
}
