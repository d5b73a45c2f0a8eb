// Locks within this process, granted in the order of the requests.
import type { Lease, Locks } from '../../ports/locks.js';

/** One lease's right to the lock; only that lease refers to this object. */
interface Grant {
  lapsesAtMs: number;
}

interface Waiter {
  readonly leaseMs: number;
  readonly resolve: (lease: Lease | undefined) => void;
}

interface Lock {
  acquire(limits: { readonly leaseMs: number; readonly waitMs: number }): Promise<Lease | undefined>;
}

/** `now`: ms of a clock that is never set back. */
export function createMemoryLocks({ now }: { readonly now: () => number }): Locks {
  const locks = new Map<string, Lock>();
  return {
    acquire(name, limits) {
      const lock = locks.get(name) ?? createLock(now, () => locks.delete(name));
      locks.set(name, lock);
      return lock.acquire(limits);
    },
  };
}

/** `onUnused`: it was released, and no request for it is left. */
function createLock(now: () => number, onUnused: () => void): Lock {
  const queue: Waiter[] = [];
  let grant: Grant | undefined;

  /** Grants the lock to the head of the queue if it is free, so that no later request comes in between. */
  function grantNext(): void {
    if (grant && now() < grant.lapsesAtMs) return;
    const first = queue.shift();
    first?.resolve(lease(first.leaseMs));
  }

  function lease(leaseMs: number): Lease {
    const mine: Grant = { lapsesAtMs: now() + leaseMs };
    grant = mine;
    return {
      async renew() {
        const isMine = grant === mine && now() < mine.lapsesAtMs;
        if (isMine) mine.lapsesAtMs = now() + leaseMs;
        return isMine;
      },
      async release() {
        if (grant !== mine) return;
        grant = undefined;
        if (queue.length > 0) grantNext();
        else onUnused();
      },
    };
  }

  function wait(leaseMs: number, deadlineMs: number, resolve: (lease: Lease | undefined) => void): void {
    let timer: NodeJS.Timeout | undefined;
    const waiter: Waiter = {
      leaseMs,
      resolve(granted) {
        clearTimeout(timer);
        resolve(granted);
      },
    };
    /** At once, and whenever the lock may have lapsed or the deadline has passed. */
    function check(): void {
      grantNext();
      const place = queue.indexOf(waiter);
      if (place === -1) return;
      const leftMs = deadlineMs - now();
      if (leftMs <= 0) {
        queue.splice(place, 1);
        waiter.resolve(undefined);
        return;
      }
      const lapseMs = (grant?.lapsesAtMs ?? 0) - now();
      timer = setTimeout(check, Math.max(1, Math.min(lapseMs, leftMs)));
    }
    queue.push(waiter);
    check();
  }

  return {
    acquire: ({ leaseMs, waitMs }) => new Promise((resolve) => wait(leaseMs, now() + waitMs, resolve)),
  };
}
