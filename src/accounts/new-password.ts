// New passwords: policy check and hash.
import { dictionary } from '@zxcvbn-ts/language-common';
import { canonicalPassword, passwordFault, passwordRule, squeezedLines } from './password-policy.js';
import { invalidField } from '../platform/errors.js';
import type { HashTurn, PasswordHasher } from './password-hasher.js';

interface Options {
  readonly hasher: PasswordHasher;
  /** Blocklist: one password per line, in lower case. */
  readonly commonPasswords: string;
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
 * passwords of public breaches). `passwords`: one password per line, in lower case. Pass to that function either the
 * password in lower case or the result of `squeezed`. The blocklist also contains passwords that are too short to be
 * accepted, because a user may lengthen them with spaces. `squeezed` removes these spaces.
 */
export function createBlocklist(passwords: string): (password: string) => boolean {
  const listed = `\n${dictionary['passwords-common'].join('\n').toLowerCase()}\n${passwords}\n`;
  // A search in this text takes less than 1 ms. A set of all passwords would make each start 50 ms longer.
  const known = listed + squeezedLines(listed);
  return (password) => password !== '' && !password.includes('\n') && known.includes(`\n${password}\n`);
}
