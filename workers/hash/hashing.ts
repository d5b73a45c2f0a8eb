// Hashes and verifies passwords with argon2id. Verification takes equally long if there is no account, so that the time
// does not reveal whether an account exists.
import { randomBytes } from 'node:crypto';
import argon2 from 'argon2';

/** Argument of the process, as JSON. */
export interface HashingOptions {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface HashTask {
  readonly id: number;
  readonly password: string;
  /**
   * `hash` computes a new hash of the password. An object verifies the password against `stored`, the hash of the
   * account. `stored` is null if there is no account.
   */
  readonly work: 'hash' | { readonly stored: string | null };
}

/**
 * Returns a function that runs tasks. For `hash`, it resolves to the new hash. For a verification, it resolves to true
 * if the password is right.
 */
export function createHashing(
  { memoryKiB, passes, lanes }: HashingOptions,
  { hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
): (task: Omit<HashTask, 'id'>) => Promise<string | boolean> {
  const parameters = { type: argon2.argon2id, memoryCost: memoryKiB, timeCost: passes, parallelism: lanes } as const;
  /**
   * Hash of a random password. If there is no account, the password is verified with this hash, because the response
   * must take as long as for an account.
   */
  const decoyHash = hash(randomBytes(32), parameters);

  return async ({ password, work }) => {
    if (work === 'hash') return hash(password, parameters);
    return (await verify(work.stored ?? (await decoyHash), password)) && work.stored !== null;
  };
}
