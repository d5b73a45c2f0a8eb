// Locks within this process.
import type { Lease, Locks } from '../../ports/locks.js';

interface Held {
  /** Nobody else has this object. */
  lapsesAtMs: number;
}

/** `now`: ms since the epoch. */
export function memoryLocks({ now }: { readonly now: () => number }): Locks {
  const held = new Map<string, Held>();
  const lines = new Map<string, (() => void)[]>();

  function callNext(name: string): void {
    const line = lines.get(name);
    line?.shift()?.();
    if (line?.length === 0) lines.delete(name);
  }

  function take(name: string, leaseMs: number): Lease | undefined {
    const holder = held.get(name);
    if (holder && now() < holder.lapsesAtMs) return undefined;
    const mine: Held = { lapsesAtMs: now() + leaseMs };
    held.set(name, mine);
    return {
      renew() {
        const isMine = held.get(name) === mine && now() < mine.lapsesAtMs;
        if (isMine) mine.lapsesAtMs = now() + leaseMs;
        return Promise.resolve(isMine);
      },
      release() {
        if (held.get(name) === mine) {
          held.delete(name);
          callNext(name);
        }
        return Promise.resolve();
      },
    };
  }

  /** Until the lock is released or lapses, or the time is over. */
  function somethingHappens(name: string, withinMs: number): Promise<void> {
    const lapseMs = (held.get(name)?.lapsesAtMs ?? 0) - now();
    return new Promise((resolve) => {
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      const proceed = (): void => {
        clearTimeout(timer);
        const place = line.indexOf(proceed);
        if (place !== -1) line.splice(place, 1);
        resolve();
      };
      const timer = setTimeout(proceed, Math.max(1, Math.min(lapseMs, withinMs)));
      line.push(proceed);
    });
  }

  return {
    async acquire(name, { leaseMs, waitMs }) {
      const deadlineMs = now() + waitMs;
      for (;;) {
        const lease = take(name, leaseMs);
        if (lease) return lease;
        const leftMs = deadlineMs - now();
        if (leftMs <= 0) return undefined;
        await somethingHappens(name, leftMs);
      }
    },
  };
}
