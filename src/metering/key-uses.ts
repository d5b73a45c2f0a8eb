// Uses of keys that are not written yet: of each key at most one in a minute.
import { isWithin, MINUTE_MS } from '../platform/time.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import type { AccountId } from '../accounts/account-id.js';

export interface KeyUse {
  readonly accountId: AccountId;
  /** SHA-256, hex */
  readonly keyHash: string;
  readonly lastUsedAt: Date;
}

export type KeyUses = ReturnType<typeof createKeyUses>;

/** `maxKeys`: whose last use is remembered; one that falls out may be written twice in a minute. */
export function createKeyUses(maxKeys: number) {
  const noted = lruCache<string, number>(maxKeys);
  let unwritten = new Map<string, KeyUse>();

  /** The key was accepted, `atMs` since the epoch. True when this is to be written. */
  function note({ accountId, keyHash }: Pick<KeyUse, 'accountId' | 'keyHash'>, atMs: number): boolean {
    if (isWithin(noted.get(keyHash) ?? -Infinity, MINUTE_MS, atMs)) return false;
    noted.set(keyHash, atMs);
    unwritten.set(keyHash, { accountId, keyHash, lastUsedAt: new Date(atMs) });
    return true;
  }

  /** Writes what was noted; what cannot be written is noted again. */
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
