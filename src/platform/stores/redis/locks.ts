// Locks over all processes. A lock is an expiring key with a random value. Waiting callers are in a sorted set.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locks } from '../locks.js';
import type { RedisConnection } from './connection.js';
import { loadScript } from './scripts.js';

/** Interval in ms between attempts of the first waiting caller. Callers at later places in the queue try less often. */
const POLL_MS = 5;
const MAX_POLL_MS = 40;

export function createRedisLocks(redis: RedisConnection): Locks {
  const acquire = loadScript(redis, new URL('acquire-lock-2.lua', import.meta.url));
  const renew = loadScript(redis, new URL('renew-lock-1.lua', import.meta.url));
  const release = loadScript(redis, new URL('release-lock-2.lua', import.meta.url));

  return {
    async acquire(name, { expiresAfterMs, waitMs }) {
      const lock = `lock:{${name}}`;
      const keys = [lock, `${lock}:waiting`];
      const value = randomUUID();
      /**
       * Releases the lock, or removes this caller from the queue. The reply is not awaited, because Redis gets this
       * command before all later commands. If the command is lost, the lock or the place in the queue expires.
       */
      const leave = (): void => void release(keys, [value]).catch(() => undefined);
      const deadlineMs = performance.now() + waitMs;
      let isGranted = false;
      try {
        for (let leftMs = waitMs; ; leftMs = Math.max(0, deadlineMs - performance.now())) {
          const place = Number(await acquire(keys, [value, expiresAfterMs, Math.ceil(leftMs)]));
          isGranted = place === 0;
          if (isGranted)
            return {
              renew: async () => (await renew([lock], [value, expiresAfterMs])) === 1,
              release: async () => leave(),
            };
          if (leftMs === 0) return undefined;
          await sleep(Math.min(leftMs, MAX_POLL_MS, POLL_MS * place));
        }
      } finally {
        // Redis may have granted the lock although its reply was lost. `leave` then releases the lock.
        if (!isGranted) leave();
      }
    },
  };
}
