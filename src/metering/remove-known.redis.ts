// Removal of what Redis knows of accounts, so that it is read from MongoDB anew.
import type { AccountId } from '../accounts/account.js';
import { accountKeys } from './account-keys.redis.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';

/** No process serves meanwhile. Rejects with AppError `unavailable`. */
export async function removeKnownAccounts(redis: RedisConnection, ids: readonly string[]): Promise<void> {
  const keys = ids.map((id) => accountKeys(id as AccountId));
  await Promise.all(keys.map(({ record, mark, fill, usage }) => redis.send('unlink', record, mark, fill, usage)));
}
