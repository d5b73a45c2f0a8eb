// The blocklist of the zxcvbn-ts project (frequent passwords of public breaches), held as a set.
import { dictionary } from '@zxcvbn-ts/language-common';
import type { CommonPasswords } from '../../ports/common-passwords.js';

/** Shorter ones are refused for their length already. */
export function commonPasswords(minCharacters: number): CommonPasswords {
  const list = dictionary['passwords-common'].filter((password) => password.length >= minCharacters);
  const known = new Set(list.map((password) => password.toLowerCase()));
  return { has: (password) => known.has(password) };
}
