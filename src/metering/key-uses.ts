// Last uses of keys, kept in memory until they are written to the store. A key is written at most once per minute.
import { isWithin, MINUTE_MS } from '../platform/time.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import type { AccountId } from '../accounts/account-id.js';

export interface KeyUse {
  readonly accountId: AccountId;
  /** SHA-256 of the key in hex. */
  readonly keyHash: string;
  readonly lastUsedAt: Date;
}

export type KeyUses = ReturnType<typeof createKeyUses>;

/**
 * `maxKeys`: maximum number of keys for which the last written use is remembered. For a forgotten key, a second use may
 * be written in the same minute.
 */
export function createKeyUses(maxKeys: number) {
  const noted = lruCache<string, number>(maxKeys);
  let unwritten = new Map<string, KeyUse>();

  /** Remembers that the key was accepted at `atMs` (ms since the epoch). Returns true if this use must be written. */
  function note({ accountId, keyHash }: Pick<KeyUse, 'accountId' | 'keyHash'>, atMs: number): boolean {
    if (isWithin(noted.get(keyHash) ?? -Infinity, MINUTE_MS, atMs)) return false;
    noted.set(keyHash, atMs);
    unwritten.set(keyHash, { accountId, keyHash, lastUsedAt: new Date(atMs) });
    return true;
  }

  /** Writes the recorded uses with `store`. If `store` fails, the uses are kept for the next call. */
  async function write(store: (uses: readonly KeyUse[]) => Promise<void> | void): Promise<void> {
    if (unwritten.size === 0) return;
    const uses = unwritten;
    unwritten = new Map();
    try {
      await store([...uses.values()]);
    } catch (error) {
      unwritten = new Map([...uses, ...unwritten]);
      throw error;
    }
  }

  return { note, write };
}
