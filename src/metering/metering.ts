// Metering: the key check, quota and usage report of a request.
import type { AccountId } from '../accounts/account.js';
import { parseApiKey } from '../accounts/api-key.js';
import { parsePublishableKey, PUBLISHABLE_KEY_PREFIX } from '../accounts/publishable-key.js';
import { BUCKETS, type Bucket, type Plans, type Tier } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';
import { inWords, SECOND_MS } from '../platform/time.js';
import { AppError, isCode } from '../platform/errors.js';
import type {
  Admission,
  CountedRequest,
  QuotaAdmissions,
  AdmissionRequest,
  Credential,
  QuotaReading,
  KeyRejection,
  OriginRejection,
  UsageReading,
} from './quota-admissions.js';

export type { AdmissionRequest, CountedRequest, Credential, QuotaReading } from './quota-admissions.js';

export interface UsageReport {
  readonly date: UtcDay;
  readonly tier: Tier;
  readonly endpoints: Readonly<Record<Bucket, { readonly used: number; readonly limit: number | null }>>;
}

export type Metering = ReturnType<typeof createMetering>;

export interface AdmissionResult {
  readonly quota: QuotaReading;
  /** False: the day's quota is used up. */
  readonly admitted: boolean;
  /** Ids of the pages of the account's own brands; empty: it has none. */
  readonly ownBrands: string;
}

/** The key that a request presents; throws `invalid_api_key` for a missing or malformed one, without any I/O. */
export function credentialOf(header: string | undefined): Credential {
  if (header === undefined || header === '') throw new AppError('invalid_api_key');
  const parsed = parseApiKey(header);
  if (!parsed)
    throw new AppError('invalid_api_key', 'This is not a Blazon API key: prefix, length or checksum do not fit.');
  return { accountId: parsed.accountId, keyHash: parsed.hash };
}

/** As `credentialOf`, of a publishable key; without the page that sent it. The error names the field. */
export function publishableCredentialOf(raw: string, field: string): Credential {
  const parsed = parsePublishableKey(raw);
  if (!parsed) {
    const reason = 'not a publishable key: prefix, length or checksum do not fit';
    const details = [{ field, reason, allowed: `a publishable key, ${PUBLISHABLE_KEY_PREFIX}…` }];
    throw new AppError('invalid_api_key', `${field}: ${reason}.`, { details });
  }
  return { accountId: parsed.accountId, keyHash: parsed.hash, allowingOrigins: [] };
}

export function createMetering({ admissions, plans }: { admissions: QuotaAdmissions; plans: Plans }) {
  /** Throws AppError: `invalid_api_key`, `account_suspended`, `forbidden`, `rate_limited`, `unavailable`. */
  async function admit(request: AdmissionRequest): Promise<AdmissionResult> {
    const admission = await admissions.admit(request);
    if (admission.rejected === null || admission.rejected === 'quota') {
      const { rejected, quota, ownBrands = '' } = admission;
      return { quota, admitted: rejected === null, ownBrands };
    }
    throw admission.rejected === 'burst' ? burstError(admission, request) : rejectionError(admission);
  }

  return {
    admit,

    /** Checks the key, and takes one from its burst. Resolves with the account's tier. Throws AppError `invalid_api_key`, `account_suspended`, `rate_limited`. */
    async verify(credential: Credential): Promise<Tier> {
      // The burst is one for all buckets.
      const { quota } = await admit({ ...credential, bucket: 'catalog', charge: 'burst' });
      return quota.tier;
    },

    /** Undoes a counted request. */
    refund: (counted: CountedRequest): Promise<void> => admissions.refund(counted),

    /** Throws AppError `invalid_api_key` or `account_suspended`. */
    usage: async (credential: Credential): Promise<UsageReport> =>
      report(await admissions.usage(credential).catch(throwUnreadable), plans),
    /** For a signed-in caller; throws the same. */
    usageOf: async (accountId: AccountId): Promise<UsageReport> =>
      report(await admissions.usageOf(accountId).catch(throwUnreadable), plans),

    /** Today's requests of an account's publishable keys, by their id. */
    async usageByKey(accountId: AccountId): Promise<UsageReading['usedByKey']> {
      const reading = await admissions.usageOf(accountId).catch(throwUnreadable);
      if ('rejected' in reading) throw rejectionError(reading);
      return reading.usedByKey;
    },
  };
}

/**
 * An unreadable report is a failure of its own, not a reason to retry: `internal_error` in the place of `unavailable`.
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

/** The counters of one day, with the daily limits of the account's tier. */
export function usageReport(reading: Omit<UsageReading, 'usedByKey'>, plans: Plans): UsageReport {
  const { daily } = plans[reading.tier];
  const endpoints = Object.fromEntries(
    BUCKETS.map((bucket) => [bucket, { used: reading.used[bucket], limit: daily[bucket] }]),
  ) as UsageReport['endpoints'];
  return { date: reading.day, tier: reading.tier, endpoints };
}

type BurstRejection = Extract<Admission, { rejected: 'burst' }>;

/** `rate_limited` for a right key, whose account the log names. */
export class BurstError extends AppError {
  constructor(
    message: string,
    retryAfterSeconds: number,
    readonly account: { readonly id: AccountId; readonly tier: Tier },
  ) {
    super('rate_limited', message, { retryAfterSeconds });
  }
}

/** A page is not told the number, which would tell its visitors the plan of the account. */
function burstError(
  { perSecond, retryAfterSeconds, tier }: BurstRejection,
  { accountId, allowingOrigins }: Credential,
): AppError {
  const message = allowingOrigins
    ? 'Too many requests in one second with this publishable key.'
    : `Too many requests in one second: your plan allows ${perSecond}, and a costly request counts as several.`;
  const wait = inWords(retryAfterSeconds * SECOND_MS);
  return new BurstError(`${message} Wait ${wait}, then send them more slowly.`, retryAfterSeconds, {
    id: accountId,
    tier,
  });
}

function rejectionError(admission: KeyRejection | OriginRejection): AppError {
  switch (admission.rejected) {
    case 'key':
      return new AppError(
        'invalid_api_key',
        'This API key is not valid: it was replaced or revoked, its account is gone, or it belongs to another service.',
      );
    case 'suspended':
      return new AppError('account_suspended');
    case 'origin':
      return new AppError(
        'forbidden',
        'This publishable key is not for the page that sent the request. Its owner sees the hosts that it is for at ' +
          'GET /auth/publishable-keys; a page that sends neither Origin nor Referer is none of them.',
      );
  }
}
