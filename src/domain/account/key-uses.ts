// Uses of keys that are not written yet: of each key at most one in a minute.
import { isWithin, MINUTE_MS } from '../time.js';
import { recentEntries } from '../collections/recent-entries.js';
import type { AccountId } from './account-id.js';

export interface KeyUse {
  readonly accountId: AccountId;
  /** SHA-256, hex */
  readonly keyHash: string;
  readonly lastUsedAt: Date;
}

export interface KeyUses {
  /** The key was accepted, `atMs` since the epoch. True when this is to be written. */
  readonly note: (key: Pick<KeyUse, 'accountId' | 'keyHash'>, atMs: number) => boolean;
  /** Writes what was noted; what cannot be written is noted again. */
  readonly write: (store: (uses: readonly KeyUse[]) => Promise<void> | void) => Promise<void>;
}

/** Keys whose last use is remembered; one that falls out may be written twice in a minute. */
const MAX_KEYS = 100_000;

export function createKeyUses(): KeyUses {
  const noted = recentEntries<string, number>(MAX_KEYS);
  let unwritten = new Map<string, KeyUse>();

  return {
    note({ accountId, keyHash }, atMs) {
      if (isWithin(noted.get(keyHash) ?? -Infinity, MINUTE_MS, atMs)) return false;
      noted.set(keyHash, atMs);
      unwritten.set(keyHash, { accountId, keyHash, lastUsedAt: new Date(atMs) });
      return true;
    },

    async write(store) {
      if (unwritten.size === 0) return;
      const uses = unwritten;
      unwritten = new Map();
      try {
        await store([...uses.values()]);
      } catch (error) {
        unwritten = new Map([...uses, ...unwritten]);
        throw error;
      }
    },
  };
}
