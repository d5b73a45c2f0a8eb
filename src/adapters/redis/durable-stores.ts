// What the Redis adapters read from, and write to, the durable store of the accounts.
import type { AccountId } from '../../domain/account/account.js';
import type { Bucket, Tier } from '../../domain/metering/plan.js';
import type { UtcDay } from '../../domain/metering/utc-day.js';

/** What an admission needs of an account. */
export interface AdmissionRecord {
  /** SHA-256, hex; null: revoked. */
  readonly keyHash: string | null;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly version: number;
}

export interface AccountSource {
  /** Never older than an acknowledged write. Undefined: there is none, or it is being deleted. */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}

export interface DayUsage {
  /** Rises with every change of the day's counters. */
  readonly rev: number;
  readonly used: Partial<Record<Bucket, number>>;
}

export interface UsageOfDay extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

export interface KeyUse {
  readonly accountId: AccountId;
  readonly keyHash: string;
  readonly lastUsedAt: Date;
}

export interface UsageLedger {
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** Keeps, of each account and day, the reading with the highest `rev`. */
  write(readings: readonly UsageOfDay[]): Promise<void>;
  /** Writes the last use where the key is still that one. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}
