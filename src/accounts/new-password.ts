// New passwords: policy check and hash.
import { dictionary } from '@zxcvbn-ts/language-common';
import { canonicalPassword, passwordFault, passwordRule, squeezed } from './password-policy.js';
import { invalidField } from '../platform/errors.js';
import type { HashTurn, PasswordHasher } from './password-hasher.js';

interface Options {
  readonly hasher: PasswordHasher;
  readonly commonPasswords: readonly string[];
  readonly minCharacters: number;
}

export type NewPassword = ReturnType<typeof createNewPassword>;

export function createNewPassword({ hasher, commonPasswords, minCharacters }: Options) {
  const isCommon = createBlocklist(commonPasswords);
  return {
    /**
     * Throws AppError `invalid_request` if the policy rejects the password. `field`: name of the password's field in
     * the request.
     */
    assertGood(password: string, email: string, field: string): void {
      const fault = passwordFault(canonicalPassword(password), { email, minCharacters, isCommon });
      if (fault !== undefined) throw invalidField(field, fault, passwordRule(minCharacters));
    },
    /** Returns the hash to store. Throws AppError `busy`. */
    hash: (password: string, turn: HashTurn): Promise<string> => hasher.hash(canonicalPassword(password), turn),
  };
}

/**
 * Returns a function that checks a password against the given passwords and against the list of zxcvbn-ts (frequent
 * passwords of public breaches). Pass to that function either the password in lower case or the result of `squeezed`.
 * The blocklist also contains passwords that are too short to be accepted, because a user may lengthen them with
 * spaces. `squeezed` removes these spaces.
 */
export function createBlocklist(passwords: readonly string[]): (password: string) => boolean {
  const known = new Set<string>();
  for (const list of [dictionary['passwords-common'], passwords])
    for (const password of list) known.add(password.toLowerCase()).add(squeezed(password));
  known.delete('');
  return (password) => known.has(password);
}
