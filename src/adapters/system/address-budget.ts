// Budgets per client address, in this process's memory: fixed windows that begin with the first use.
import { LRUCache } from 'lru-cache';
import type { AddressBudget } from '../../ports/address-budget.js';

interface Options {
  readonly limit: number;
  readonly windowMs: number;
  readonly now: () => number;
}

/** So many addresses are remembered; an attacker with more of them has other means anyway. */
const MAX_ADDRESSES = 50_000;

export function memoryAddressBudget({ limit, windowMs, now }: Options): AddressBudget {
  const windows = new LRUCache<string, { readonly startMs: number; spent: number }>({ max: MAX_ADDRESSES });
  return {
    async spend(key) {
      const nowMs = now();
      let window = windows.get(key);
      if (!window || nowMs - window.startMs >= windowMs) {
        window = { startMs: nowMs, spent: 0 };
        windows.set(key, window);
      }
      if (window.spent >= limit) {
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((window.startMs + windowMs - nowMs) / 1000)) };
      }
      window.spent += 1;
      return { ok: true };
    },
  };
}
