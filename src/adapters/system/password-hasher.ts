// argon2id in the libuv pool, a few at a time.
import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import { AppError } from '../../errors.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';

/** OWASP Password Storage Cheat Sheet, argon2id: m = 19 MiB, t = 2, p = 1. */
const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MAX_WAITING = 32;

interface Options {
  /** Threads of the libuv pool; two are left for files and picture encoding. */
  readonly poolThreads: number;
}

export function argon2Hasher({ poolThreads }: Options): PasswordHasher {
  // More at once than cores would only make each of them slower.
  const limit = pLimit(Math.max(1, Math.min(poolThreads - 2, availableParallelism())));
  return {
    async hash(password) {
      if (limit.pendingCount >= MAX_WAITING) throw new AppError('busy');
      return limit(() => argon2.hash(password, PARAMETERS));
    },
  };
}
