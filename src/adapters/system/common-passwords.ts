// The blocklist of the zxcvbn-ts project (frequent passwords of public breaches), held as a set.
import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_MIN_CHARACTERS } from '../../domain/password.js';
import type { CommonPasswords } from '../../ports/common-passwords.js';

export function commonPasswords(): CommonPasswords {
  // Shorter ones are refused for their length already.
  const list = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN_CHARACTERS);
  const known = new Set(list.map((password) => password.toLowerCase()));
  return { has: (password) => known.has(password) };
}
