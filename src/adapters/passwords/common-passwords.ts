// Password blocklist in memory: that of zxcvbn-ts (frequent passwords of public breaches), and the operator's.
import { dictionary } from '@zxcvbn-ts/language-common';
import { squeezed } from '../../domain/account/password-policy.js';
import type { CommonPasswords } from '../../ports/common-passwords.js';

/** Short ones are kept too: with spaces between their letters they are long enough. */
export function createCommonPasswords(listed: readonly string[]): CommonPasswords {
  const known = new Set<string>();
  for (const list of [dictionary['passwords-common'], listed])
    for (const password of list) known.add(password.toLowerCase()).add(squeezed(password));
  known.delete('');
  return { has: (password) => known.has(password) };
}
