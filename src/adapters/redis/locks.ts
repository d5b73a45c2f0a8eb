// Locks over all processes: SET NX PX with a random value; within a process a queue per name, whose head alone polls.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, Locks } from '../../ports/locks.js';
import type { RedisConnection } from './connection.js';
import { loadScript, type Script } from './scripts.js';

/** How often the head of a queue asks for a lock that another process holds; grows from the first to the last. */
const MIN_POLL_MS = 5;
const MAX_POLL_MS = 40;
/** A process that has granted a lock to its own queue for so long leaves it free for other processes to take. */
const MAX_STREAK_MS = 100;
/** Longer than others take between two polls. */
const FAIR_PAUSE_MS = 60;

interface Waiter {
  readonly leaseMs: number;
  readonly deadlineMs: number;
  readonly resolve: (lease: Lease | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Server {
  readonly send: RedisConnection['send'];
  readonly renew: Script;
  readonly release: Script;
}

export function createRedisLocks(redis: RedisConnection): Locks {
  const server: Server = {
    send: redis.send,
    renew: loadScript(redis, 'renew-1'),
    release: loadScript(redis, 'release-1'),
  };
  const queues = new Map<string, LockQueue>();
  return {
    acquire(name, { leaseMs, waitMs }) {
      const queue = queues.get(name) ?? createLockQueue(server, `lock:{${name}}`, () => queues.delete(name));
      queues.set(name, queue);
      return new Promise((resolve, reject) => {
        queue.add({ leaseMs, deadlineMs: performance.now() + waitMs, resolve, reject });
      });
    },
  };
}

/** Undefined: it is taken. `onRelease`: a grant of this process is being released. */
async function tryLock(
  { send, renew, release }: Server,
  key: string,
  { leaseMs, onRelease }: { readonly leaseMs: number; readonly onRelease: () => void },
): Promise<Lease | undefined> {
  const value = randomUUID();
  let isReleased = false;
  try {
    if ((await send('set', key, value, 'PX', leaseMs, 'NX')) !== 'OK') return undefined;
  } catch (error) {
    // It may have been set, and would keep everybody out until it lapses.
    release([key], [value]).catch(() => undefined);
    throw error;
  }
  return {
    renew: async () => !isReleased && (await renew([key], [value, leaseMs])) === 1,
    async release() {
      if (isReleased) return;
      isReleased = true;
      // A release that is lost leaves the lock to lapse.
      release([key], [value]).catch(() => undefined);
      // The next attempt is sent behind the release, in the same pipeline.
      onRelease();
    },
  };
}

interface Signal {
  /** Ends the wait of now, or the next one. */
  readonly raise: () => void;
  readonly clear: () => void;
  /** Resolves after `ms`, or when it is raised. */
  readonly wait: (ms: number) => Promise<void>;
}

function createSignal(): Signal {
  let isRaised = false;
  let wake: (() => void) | undefined;
  return {
    raise() {
      isRaised = true;
      wake?.();
    },
    clear() {
      isRaised = false;
    },
    async wait(ms) {
      if (isRaised) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    },
  };
}

interface LockQueue {
  readonly add: (waiter: Waiter) => void;
}

/** `onUnused`: called when the last waiter has left. */
function createLockQueue(server: Server, key: string, onUnused: () => void): LockQueue {
  const waiters: Waiter[] = [];
  const freed = createSignal();
  let isServing = false;
  let streakBeganMs: number | undefined;
  let pollMs = MIN_POLL_MS;

  async function serveHead(head: Waiter): Promise<void> {
    freed.clear();
    try {
      const lease = await tryLock(server, key, { leaseMs: head.leaseMs, onRelease: freed.raise });
      if (lease) {
        waiters.shift();
        head.resolve(lease);
        streakBeganMs ??= performance.now();
        pollMs = MIN_POLL_MS;
      } else streakBeganMs = undefined;
    } catch (error) {
      waiters.shift();
      head.reject(error);
    }
    resolveExpired(waiters);
  }

  async function waitForTurn(): Promise<void> {
    const nextDeadlineMs = Math.min(...waiters.map(({ deadlineMs }) => deadlineMs));
    await freed.wait(Math.max(1, Math.min(pollMs * (1 + Math.random()), nextDeadlineMs - performance.now())));
    pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
    if (streakBeganMs === undefined || performance.now() - streakBeganMs < MAX_STREAK_MS) return;
    streakBeganMs = undefined;
    await sleep(FAIR_PAUSE_MS);
  }

  async function serve(): Promise<void> {
    isServing = true;
    for (let head = waiters[0]; head; head = waiters[0]) {
      await serveHead(head);
      if (waiters.length > 0) await waitForTurn();
    }
    isServing = false;
    onUnused();
  }

  return {
    add(waiter) {
      // Others are before it.
      if (waiters.length > 0 && waiter.deadlineMs <= performance.now()) {
        waiter.resolve(undefined);
        return;
      }
      waiters.push(waiter);
      if (!isServing) void serve();
    },
  };
}

function resolveExpired(waiters: Waiter[]): void {
  const nowMs = performance.now();
  for (const waiter of waiters.filter(({ deadlineMs }) => deadlineMs <= nowMs)) {
    waiters.splice(waiters.indexOf(waiter), 1);
    waiter.resolve(undefined);
  }
}
