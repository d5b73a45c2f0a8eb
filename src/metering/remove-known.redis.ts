// Removal of accounts' cached data from Redis. After the removal, this data is read from MongoDB again.
import type { AccountId } from '../accounts/account.js';
import { accountKeys } from './account-keys.redis.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';

/**
 * Removes the cached data of the accounts. No process may serve requests during the call. Rejects with AppError
 * `unavailable`.
 */
export async function removeKnownAccounts(redis: RedisConnection, ids: readonly string[]): Promise<void> {
  const keys = ids.map((id) => accountKeys(id as AccountId));
  await Promise.all(keys.map(({ record, mark, fill, usage }) => redis.send('unlink', record, mark, fill, usage)));
}
