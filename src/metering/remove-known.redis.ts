// Removal of what Redis knows of accounts and visitor counters, so that it is read from MongoDB anew.
import type { AccountId } from '../accounts/account.js';
import type { CounterName } from '../visitor-counters/counter.js';
import { accountKeys } from './account-keys.redis.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { counterKeys } from '../visitor-counters/counter-writer.redis.js';

/** No process serves meanwhile. Rejects with AppError `unavailable`. */
export async function removeKnownAccounts(redis: RedisConnection, ids: readonly AccountId[]): Promise<void> {
  const keys = ids.map((id) => accountKeys(id));
  await Promise.all(keys.map(({ record, mark, fill, usage }) => redis.send('unlink', record, mark, fill, usage)));
}

export async function removeKnownCounters(redis: RedisConnection, names: readonly CounterName[]): Promise<void> {
  await Promise.all(names.map((name) => redis.send('unlink', ...counterKeys(name))));
}
