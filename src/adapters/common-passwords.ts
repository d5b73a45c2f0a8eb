// Password blocklist in memory: that of zxcvbn-ts (frequent passwords of public breaches), and the operator's.
import { dictionary } from '@zxcvbn-ts/language-common';
import { squeezed } from '../domain/account/password-policy.js';

/** The result tells of text in lower case, as typed or `squeezed`. Short passwords are listed too: with spaces between their letters they are long enough. */
export function createCommonPasswords(listed: readonly string[]): (password: string) => boolean {
  const known = new Set<string>();
  for (const list of [dictionary['passwords-common'], listed])
    for (const password of list) known.add(password.toLowerCase()).add(squeezed(password));
  known.delete('');
  return (password) => known.has(password);
}
