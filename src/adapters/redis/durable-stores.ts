// Durable stores behind the Redis adapters: the account source and the ledgers of counters.
import type { AccountId } from '../../domain/account/account.js';
import type { KeyUse } from '../../domain/account/key-uses.js';
import type { PublishableKeyRule } from '../../domain/account/publishable-key.js';
import type { Tier } from '../../domain/metering/plan.js';
import type { CounterValues } from '../../domain/metering/usage-counter.js';
import type { UtcDay } from '../../domain/metering/utc-day.js';
import type { CounterName } from '../../domain/visitor-counter/counter.js';

/** What an admission needs of an account. */
export interface AdmissionRecord {
  /** SHA-256, hex; null: revoked. */
  readonly keyHash: string | null;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly publishableKeys: readonly PublishableKeyRule[];
  readonly version: number;
}

export interface AccountSource {
  /** Never older than an acknowledged write. Undefined: there is none, or it is being deleted. */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}

export interface DayUsage {
  /** Rises with every change of the day's counters. */
  readonly rev: number;
  readonly used: CounterValues;
}

export interface UsageOfDay extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

export interface UsageLedger {
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** Keeps, of each account and day, the reading with the highest `rev`. */
  write(readings: readonly UsageOfDay[]): Promise<void>;
  /** Writes the last use where the key is still that one. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}

export interface CounterEpoch {
  readonly name: CounterName;
  /** Rises when the counter is reset or seeded. */
  readonly epoch: number;
}

export interface CounterReading extends CounterEpoch {
  /** Rises with every change within the epoch. */
  readonly rev: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  /** HyperLogLog of the day's visitors, as Redis has it; empty: none. */
  readonly visitors: Buffer;
}

export interface CounterLedger {
  read(name: CounterName): Promise<CounterReading | undefined>;
  /**
   * Keeps, of each counter, the reading with the highest `rev` of its epoch. Returns the counters whose epoch is another
   * one: they were reset or seeded meanwhile.
   */
  write(readings: readonly CounterReading[]): Promise<readonly CounterEpoch[]>;
  /** Begins an epoch with nothing in it; which. */
  reset(name: CounterName): Promise<CounterEpoch>;
  /** Begins an epoch with this total and today's counts as they were; which. */
  seed(name: CounterName, total: number): Promise<CounterEpoch>;
  /** Deletes the visitors of earlier days; of how many counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
