// argon2id: hashes passwords and compares them, with the same work where there is no account.
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
  /** `hash`: make one. Else compare with this one, or, where there is no account (null), with a decoy. */
  readonly work: 'hash' | { readonly stored: string | null };
}

/** The hash, or whether the password was right. */
export function createHashing(
  { memoryKiB, passes, lanes }: HashingOptions,
  { hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
): (task: Omit<HashTask, 'id'>) => Promise<string | boolean> {
  const parameters = { type: argon2.argon2id, memoryCost: memoryKiB, timeCost: passes, parallelism: lanes } as const;
  /** Hash of a random password, verified where there is no account, so that it takes as long. */
  const decoyHash = hash(randomBytes(32), parameters);

  return async ({ password, work }) => {
    if (work === 'hash') return hash(password, parameters);
    return (await verify(work.stored ?? (await decoyHash), password)) && work.stored !== null;
  };
}
