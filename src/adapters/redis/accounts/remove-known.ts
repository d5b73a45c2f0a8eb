// Removal of what Redis knows of accounts and visitor counters, so that it is read from MongoDB anew.
import type { AccountId } from '../../../domain/account/account.js';
import type { CounterName } from '../../../domain/visitor-counter/counter.js';
import { accountKeys } from './account-keys.js';
import type { RedisConnection } from '../connection.js';
import { counterKeys } from '../counter-writer.js';

/** No process serves meanwhile. Rejects with AppError `unavailable`. */
export async function removeKnownAccounts(redis: RedisConnection, ids: readonly AccountId[]): Promise<void> {
  const keys = ids.map((id) => accountKeys(id));
  await Promise.all(keys.map(({ record, mark, fill, usage }) => redis.send('unlink', record, mark, fill, usage)));
}

export async function removeKnownCounters(redis: RedisConnection, names: readonly CounterName[]): Promise<void> {
  await Promise.all(names.map((name) => redis.send('unlink', ...counterKeys(name))));
}
