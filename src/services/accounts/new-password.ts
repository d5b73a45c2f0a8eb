// New passwords: policy check and hash.
import { canonicalPassword, passwordFault, passwordRule } from '../../domain/account/password-policy.js';
import { invalidField } from '../../errors.js';
import type { CommonPasswords } from '../../ports/common-passwords.js';
import type { HashTurn, PasswordHasher } from '../../ports/password-hasher.js';

interface Ports {
  readonly hasher: PasswordHasher;
  readonly commonPasswords: CommonPasswords;
  readonly minCharacters: number;
}

export type NewPassword = ReturnType<typeof createNewPassword>;

export function createNewPassword({ hasher, commonPasswords, minCharacters }: Ports) {
  return {
    /** Throws AppError `invalid_request` that names the field. */
    assertGood(password: string, email: string, field: string): void {
      const fault = passwordFault(canonicalPassword(password), {
        email,
        minCharacters,
        isCommon: (candidate) => commonPasswords.has(candidate),
      });
      if (fault !== undefined) throw invalidField(field, fault, passwordRule(minCharacters));
    },
    /** The hash to store. Throws AppError `busy`. */
    hash: (password: string, turn: HashTurn): Promise<string> => hasher.hash(canonicalPassword(password), turn),
  };
}
