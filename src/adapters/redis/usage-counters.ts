// Counters of an account in Redis: read, seeded from the durable store, refunded.
import type { AccountId } from '../../domain/account/account.js';
import { counterEntries, isUsageCounter, type UsageCounter } from '../../domain/metering/usage-counter.js';
import type { UtcDay } from '../../domain/metering/utc-day.js';
import { DAY_MS } from '../../domain/time.js';
import type { UsageLedger, AccountDayUsage } from '../../ports/usage-ledger.js';
import { accountKeys, dayNumber, dayOfNumber } from './account-keys.js';
import type { RedisConnection } from './connection.js';
import { loadScript } from './scripts.js';

const USAGE_TTL_MS = 3 * DAY_MS;

export interface UsageCounters {
  /** The days that Redis has: today, yesterday, and what an idle account has left. */
  read(id: AccountId): Promise<readonly AccountDayUsage[]>;
  /** Raises the day's counters to what the ledger has, when Redis has lost some. */
  seed(id: AccountId, day: UtcDay): Promise<void>;
  /** False when there was nothing to refund. */
  refund(counted: Refund): Promise<boolean>;
}

interface Refund {
  readonly accountId: AccountId;
  readonly day: UtcDay;
  readonly names: readonly UsageCounter[];
  readonly units: number;
}

export function createUsageCounters(redis: RedisConnection, ledger: Pick<UsageLedger, 'read'>): UsageCounters {
  const seedScript = loadScript(redis, 'seed-1');
  const refundScript = loadScript(redis, 'refund-1');

  async function seed(id: AccountId, day: UtcDay): Promise<void> {
    const kept = await ledger.read(id, day);
    if (!kept) return;
    const pairs = counterEntries(kept.used).flat();
    await seedScript([accountKeys(id).usage], [dayNumber(day), kept.rev, USAGE_TTL_MS, ...pairs]);
  }

  async function refundOnce({ accountId, day, names, units }: Refund): Promise<number> {
    return Number(await refundScript([accountKeys(accountId).usage], [dayNumber(day), units, ...names]));
  }

  return {
    async read(id) {
      const reply = await redis.send('hgetall', accountKeys(id).usage);
      return usageOf(
        id,
        Array.isArray(reply)
          ? reply.map(String)
          : Object.entries(reply ?? {})
              .flat()
              .map(String),
      );
    },
    seed,
    async refund(counted) {
      const returned = await refundOnce(counted);
      if (returned !== -1) return returned === 1;
      await seed(counted.accountId, counted.day);
      return (await refundOnce(counted)) === 1;
    },
  };
}

/** `fields`: names and values in turn. */
function usageOf(accountId: AccountId, fields: readonly string[]): AccountDayUsage[] {
  const days = new Map<string, { rev: number; used: Partial<Record<UsageCounter, number>> }>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [number = '', name = ''] = (fields[at] ?? '').split(':');
    const value = Number(fields[at + 1]);
    const day = days.get(number) ?? { rev: 0, used: {} };
    days.set(number, day);
    if (name === 'rev') day.rev = value;
    else if (isUsageCounter(name)) day.used[name] = value;
  }
  return [...days]
    .map(([number, usage]) => ({ accountId, day: dayOfNumber(Number(number)), ...usage }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}
