// Usage counters of an account in Redis: reads them, initializes them from the ledger (MongoDB), and refunds requests.
import type { AccountId } from '../accounts/account.js';
import { counterEntries, isUsageCounter, type UsageCounter } from './usage-counter.js';
import { dayNumber, dayOfNumber, type UtcDay } from '../platform/utc-day.js';
import { DAY_MS } from '../platform/time.js';
import type { UsageLedger, AccountDayUsage } from './usage-ledger.js';
import { accountKeys } from './account-keys.redis.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { loadScript } from '../platform/stores/redis/scripts.js';

const USAGE_TTL_MS = 3 * DAY_MS;

export type UsageCounters = ReturnType<typeof createUsageCounters>;

interface Refund {
  readonly accountId: AccountId;
  readonly day: UtcDay;
  readonly names: readonly UsageCounter[];
  readonly units: number;
}

export function createUsageCounters(redis: RedisConnection, ledger: Pick<UsageLedger, 'read'>) {
  const seedScript = loadScript(redis, new URL('seed-usage-1.lua', import.meta.url));
  const refundScript = loadScript(redis, new URL('refund-usage-1.lua', import.meta.url));

  /**
   * If a counter of the day is lower in Redis than in the ledger, raises it to the ledger's count, because Redis may
   * have lost data.
   */
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
    /**
     * Returns the counters of all days in Redis. Days before yesterday are included until the first request of today
     * deletes them.
     */
    async read(id: AccountId): Promise<readonly AccountDayUsage[]> {
      const reply = await redis.send('hgetall', accountKeys(id).usage);
      return usageOf(id, (Array.isArray(reply) ? reply : Object.entries(reply ?? {}).flat()).map(String));
    },
    seed,
    async refund(counted: Refund): Promise<void> {
      if ((await refundOnce(counted)) !== -1) return;
      await seed(counted.accountId, counted.day);
      await refundOnce(counted);
    },
  };
}

/** Parses the counters of all days. `fields`: names and values, alternating. */
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
