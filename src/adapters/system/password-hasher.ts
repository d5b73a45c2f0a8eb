// argon2id in the libuv pool, a few at a time.
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import { AppError } from '../../errors.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';

const MAX_WAITING = 32;

interface Options {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
  /** Threads of the libuv pool; two are left for files and names. */
  readonly poolThreads: number;
}

export function argon2Hasher({ memoryKiB, passes, lanes, poolThreads }: Options): PasswordHasher {
  const parameters = { type: argon2.argon2id, memoryCost: memoryKiB, timeCost: passes, parallelism: lanes } as const;
  // More at once than cores would only make each of them slower. A permit belongs to the hash: it ends with it, whether
  // or not somebody still waits for the answer.
  const limit = pLimit(Math.max(1, Math.min(poolThreads - 2, availableParallelism())));

  async function queued<Result>(work: () => Promise<Result>): Promise<Result> {
    if (limit.pendingCount >= MAX_WAITING) throw new AppError('busy');
    return limit(work);
  }

  /** Nobody's password: what is compared where there is no account, so that it takes as long. */
  const nobodys = argon2.hash(randomBytes(32), parameters);

  return {
    hash: (password) => queued(() => argon2.hash(password, parameters)),
    verify: (stored, password) => queued(async () => (await argon2.verify(stored ?? (await nobodys), password)) && stored !== undefined),
    isOutdated: (stored) => argon2.needsRehash(stored, parameters),
  };
}
