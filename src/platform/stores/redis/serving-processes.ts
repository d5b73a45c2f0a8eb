// Register of running service processes: a sorted set in Redis. Each process writes the time of the Redis server into
// this set every few seconds.
import { randomUUID } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '../../time.js';
import type { RedisConnection } from './connection.js';

const KEY = 'processes';
const ANNOUNCED_EVERY_MS = 5 * SECOND_MS;
/**
 * Time in ms for which a process counts as serving after its last announcement. It is much longer than the interval of
 * announcements, because a process that stops announcing may only be paused.
 */
const GONE_AFTER_MS = MINUTE_MS;

export interface ServingProcess {
  /** Removes this process from the register. */
  end(): Promise<void>;
}

/** Adds this process to the register. Rejects with AppError `unavailable`. */
export async function announceProcess(redis: RedisConnection): Promise<ServingProcess> {
  const id = randomUUID();
  async function announce(): Promise<void> {
    await redis.send('zadd', KEY, await serverMs(redis), id);
  }
  await announce();
  const timer = setInterval(() => void announce().catch(() => undefined), ANNOUNCED_EVERY_MS).unref();
  return {
    async end() {
      clearInterval(timer);
      await redis.send('zrem', KEY, id).catch(() => undefined);
    },
  };
}

/** Returns the number of serving processes. Rejects with AppError `unavailable`. */
export async function countProcesses(redis: RedisConnection): Promise<number> {
  const since = (await serverMs(redis)) - GONE_AFTER_MS;
  await redis.send('zremrangebyscore', KEY, '-inf', since);
  return Number(await redis.send('zcard', KEY));
}

async function serverMs(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = (await redis.send('time')) as readonly unknown[];
  return Number(seconds) * SECOND_MS + Math.floor(Number(microseconds) / 1000);
}
