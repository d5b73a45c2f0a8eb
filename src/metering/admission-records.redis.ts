// Admission records in Redis. Before an account is changed, a mark in Redis makes admissions ignore the account's
// record. After the change, the new record is stored and the mark is removed.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId } from '../accounts/account.js';
import type { PublishableKeyRule } from '../accounts/publishable-key.js';
import { MINUTE_MS, SECOND_MS } from '../platform/time.js';
import type { AdmissionRecord } from './admission-record.js';
import type { AdmissionRecords } from './admission-records.js';
import { accountKeys } from './account-keys.redis.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { loadScript } from '../platform/stores/redis/scripts.js';

/** Lifetime of a record in ms. After this time, the account is read from MongoDB again. */
export const RECORD_TTL_MS = MINUTE_MS;
/** Lifetime in ms of a record that says that the account does not exist. */
export const GONE_TTL_MS = 10 * SECOND_MS;
/**
 * Lifetime in ms of a mark, which says that an account is being changed. It is longer than any change takes. If a
 * process crashes during a change, its mark expires after this time.
 */
const MARK_TTL_MS = 5 * MINUTE_MS;
/**
 * Maximum duration of an admission in ms. When this time has passed after a change, all admissions that read the old
 * account have ended.
 */
const ADMISSION_LIMIT_MS = SECOND_MS;

/** Version of the record's format. Increase it when older releases cannot read the record. */
const SHAPE = 3;

/** Returns the record's fields as Redis arguments: names and values, alternating. */
export function recordFields(record: AdmissionRecord | null | undefined): readonly (string | number)[] {
  const { tier, tierEndsAt, keyHash, suspended, version, publishableKeys, ownBrands } = record ?? NO_RECORD;
  const keys = publishableKeys.flatMap((key) => [publishableField(key.keyHash), publishableValue(key)]);
  const flags = ['suspended', suspended ? '1' : '0', 'version', version, 'shape', SHAPE, 'own', ownBrands];
  return ['tier', tier, 'until', untilValue(tierEndsAt), API_KEY_FIELD, keyHash ?? '', ...flags, ...keys];
}

const NO_RECORD = {
  tier: '',
  tierEndsAt: null,
  keyHash: null,
  suspended: false,
  version: 0,
  publishableKeys: [],
  ownBrands: '',
} as const;

export const API_KEY_FIELD = 'keyHash';
export const publishableField = (keyHash: string): string => `p:${keyHash}`;

/** Returns the time in ms since the epoch, or an empty string if no end is known. */
export function untilValue(tierEndsAt: Date | null): number | '' {
  return tierEndsAt?.getTime() ?? '';
}

/** Returns the field value of a publishable key, in the format that `admit-requests-6.lua` reads. */
export function publishableValue({ dailyLimit, origins }: PublishableKeyRule): string {
  return `${dailyLimit ?? ''}|${origins.join(' ')}`;
}

export function createAdmissionRecords(redis: RedisConnection): AdmissionRecords {
  const begin = loadScript(redis, new URL('begin-account-change-3.lua', import.meta.url));
  const publish = loadScript(redis, new URL('publish-account-change-5.lua', import.meta.url));
  const abandon = loadScript(redis, new URL('abandon-account-change-1.lua', import.meta.url));

  async function abandoned(id: AccountId, token: string): Promise<void> {
    await abandon([accountKeys(id).mark], [token]).catch(() => undefined);
  }

  async function publishOnce(id: AccountId, token: string, record: AdmissionRecord | null): Promise<boolean> {
    const { record: recordKey, mark, fill, usage, burst } = accountKeys(id);
    const version = record?.version ?? Number.MAX_SAFE_INTEGER;
    const ttlMs = record ? RECORD_TTL_MS : GONE_TTL_MS;
    const args = [token, randomUUID(), version, record ? 0 : 1, ttlMs, ...recordFields(record)];
    return publish([recordKey, mark, fill, usage, burst], args).then(
      () => true,
      () => false,
    );
  }

  /**
   * Retries a failed call of the publish script. The mark of the change prevents other processes from storing the old
   * record, but Redis may lose the mark. The retries therefore continue until an old record would have expired.
   */
  async function publishLater(id: AccountId, token: string, record: AdmissionRecord | null): Promise<void> {
    const deadlineMs = performance.now() + RECORD_TTL_MS;
    while (performance.now() < deadlineMs) {
      await sleep(SECOND_MS, undefined, { ref: false });
      if (await publishOnce(id, token, record)) return;
    }
  }

  return {
    async begin(id) {
      const token = randomUUID();
      const { record, mark, fill } = accountKeys(id);
      try {
        await begin([record, mark, fill], [token, MARK_TTL_MS]);
        return token;
      } catch (error) {
        // If Redis set the mark and only the reply was lost, the mark must be removed.
        void abandoned(id, token);
        throw error;
      }
    },

    async publish(id, token, record) {
      const beganMs = performance.now();
      if (await publishOnce(id, token, record)) return;
      void publishLater(id, token, record);
      // The mark still exists, so new admissions read the account from MongoDB. Earlier admissions may have read the
      // account before the write. This wait lasts until all of them have ended.
      await sleep(Math.max(0, ADMISSION_LIMIT_MS - (performance.now() - beganMs)));
    },

    abandon: abandoned,
  };
}
