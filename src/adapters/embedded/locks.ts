// Locks within this process.
import type { Lease, Locks } from '../../ports/locks.js';

interface Held {
  /** Nobody else has this object. */
  lapsesAtMs: number;
}

interface Waiter {
  readonly leaseMs: number;
  readonly answer: (lease: Lease | undefined) => void;
}

/** `now`: ms of a clock that is never set back. */
export function createMemoryLocks({ now }: { readonly now: () => number }): Locks {
  const held = new Map<string, Held>();
  const lines = new Map<string, Waiter[]>();

  function leaveLine(name: string, waiter: Waiter): void {
    const line = (lines.get(name) ?? []).filter((other) => other !== waiter);
    if (line.length > 0) lines.set(name, line);
    else lines.delete(name);
  }

  /** Hands the lock to the first in line if it is free: nobody who comes later gets in between. */
  function serve(name: string): void {
    const holder = held.get(name);
    const [first] = lines.get(name) ?? [];
    if (!first || (holder && now() < holder.lapsesAtMs)) return;
    leaveLine(name, first);
    first.answer(grant(name, first.leaseMs));
  }

  function grant(name: string, leaseMs: number): Lease {
    const mine: Held = { lapsesAtMs: now() + leaseMs };
    held.set(name, mine);
    return {
      async renew() {
        const isMine = held.get(name) === mine && now() < mine.lapsesAtMs;
        if (isMine) mine.lapsesAtMs = now() + leaseMs;
        return isMine;
      },
      async release() {
        if (held.get(name) !== mine) return;
        held.delete(name);
        serve(name);
      },
    };
  }

  return {
    acquire(name, { leaseMs, waitMs }) {
      const deadlineMs = now() + waitMs;
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const waiter: Waiter = {
          leaseMs,
          answer(lease) {
            clearTimeout(timer);
            resolve(lease);
          },
        };
        /** At once, and whenever the lock may have lapsed or the time be over. */
        function look(): void {
          serve(name);
          if (lines.get(name)?.includes(waiter) !== true) return;
          const leftMs = deadlineMs - now();
          if (leftMs <= 0) {
            leaveLine(name, waiter);
            waiter.answer(undefined);
            return;
          }
          const lapseMs = (held.get(name)?.lapsesAtMs ?? 0) - now();
          timer = setTimeout(look, Math.max(1, Math.min(lapseMs, leftMs)));
        }
        lines.set(name, [...(lines.get(name) ?? []), waiter]);
        look();
      });
    },
  };
}
