// Locks over all processes: SET NX PX with a random value; within a process a queue per name, whose head alone polls.
import { randomUUID } from 'node:crypto';
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

interface LockQueue {
  add(waiter: Waiter): void;
}

/** `onUnused`: nobody waits any more. */
function createLockQueue(server: Server, key: string, onUnused: () => void): LockQueue {
  const waiters: Waiter[] = [];
  let isServing = false;
  let wake: (() => void) | undefined;
  /** A grant of this process was released while an attempt was under way. */
  let isFreed = false;
  let streakBeganMs: number | undefined;
  let pollMs = MIN_POLL_MS;

  /** Resolves after `ms`, or when a grant of this process is released. */
  function pause(ms: number): Promise<void> {
    if (isFreed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(end, ms);
      function end(): void {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = end;
    });
  }

  function leaseOf(value: string, leaseMs: number): Lease {
    let isReleased = false;
    return {
      renew: async () => !isReleased && (await server.renew([key], [value, leaseMs])) === 1,
      async release() {
        if (isReleased) return;
        isReleased = true;
        // A release that is lost leaves the lock to lapse.
        server.release([key], [value]).catch(() => undefined);
        // The next attempt is sent behind the release, in the same pipeline.
        if (wake) wake();
        else isFreed = true;
      },
    };
  }

  /** Undefined: it is taken. */
  async function attempt({ leaseMs }: Waiter): Promise<Lease | undefined> {
    const value = randomUUID();
    isFreed = false;
    try {
      const reply = await server.send('set', key, value, 'PX', leaseMs, 'NX');
      return reply === 'OK' ? leaseOf(value, leaseMs) : undefined;
    } catch (error) {
      // It may have been set, and would keep everybody out until it lapses.
      server.release([key], [value]).catch(() => undefined);
      throw error;
    }
  }

  function settleExpired(): void {
    const nowMs = performance.now();
    for (let at = waiters.length - 1; at >= 0; at--) {
      const waiter = waiters[at];
      if (waiter && waiter.deadlineMs <= nowMs) {
        waiters.splice(at, 1);
        waiter.resolve(undefined);
      }
    }
  }

  async function serveHead(head: Waiter): Promise<void> {
    let lease: Lease | undefined;
    try {
      lease = await attempt(head);
    } catch (error) {
      waiters.shift();
      head.reject(error);
      return;
    }
    if (lease) {
      waiters.shift();
      head.resolve(lease);
      streakBeganMs ??= performance.now();
      pollMs = MIN_POLL_MS;
    } else streakBeganMs = undefined;
    settleExpired();
    if (waiters.length === 0) return;
    const nextDeadlineMs = Math.min(...waiters.map(({ deadlineMs }) => deadlineMs));
    await pause(Math.max(1, Math.min(pollMs * (1 + Math.random()), nextDeadlineMs - performance.now())));
    pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
    if (streakBeganMs !== undefined && performance.now() - streakBeganMs > MAX_STREAK_MS) {
      streakBeganMs = undefined;
      await new Promise((resolve) => setTimeout(resolve, FAIR_PAUSE_MS));
    }
  }

  async function serve(): Promise<void> {
    isServing = true;
    for (let head = waiters[0]; head; head = waiters[0]) await serveHead(head);
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
