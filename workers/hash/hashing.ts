// Hashes and verifies passwords with argon2id. Verifying takes as long without an account, so that the time does not
// reveal whether the account exists.
import { randomBytes } from 'node:crypto';
import argon2 from 'argon2';

/** The only argument of the process, as JSON. */
export interface HashingOptions {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface HashTask {
  readonly id: number;
  readonly password: string;
  /**
   * `hash` creates a hash. An object verifies the password against the hash `stored`; null means that there is no
   * account.
   */
  readonly work: 'hash' | { readonly stored: string | null };
}

/**
 * Returns a function that resolves to the new hash, or, when verifying, to true or false: whether the password is
 * right.
 */
export function createHashing(
  { memoryKiB, passes, lanes }: HashingOptions,
  { hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
): (task: Omit<HashTask, 'id'>) => Promise<string | boolean> {
  const parameters = { type: argon2.argon2id, memoryCost: memoryKiB, timeCost: passes, parallelism: lanes } as const;
  /**
   * Hash of a random password. It is verified if there is no account, so that the answer takes as long as with an
   * account.
   */
  const decoyHash = hash(randomBytes(32), parameters);

  return async ({ password, work }) => {
    if (work === 'hash') return hash(password, parameters);
    return (await verify(work.stored ?? (await decoyHash), password)) && work.stored !== null;
  };
}
