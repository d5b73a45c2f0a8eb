// The blocklist of the zxcvbn-ts project (frequent passwords of public breaches) and one of the operator's, held as a
// set.
import { dictionary } from '@zxcvbn-ts/language-common';
import type { CommonPasswords } from '../../ports/common-passwords.js';

interface Options {
  /** Shorter ones are refused for their length already. */
  readonly minCharacters: number;
  /** Lower case. */
  readonly listed: readonly string[];
}

export function createCommonPasswords({ minCharacters, listed }: Options): CommonPasswords {
  const inPublic = dictionary['passwords-common'].map((password) => password.toLowerCase());
  const known = new Set([...inPublic, ...listed].filter((password) => password.length >= minCharacters));
  return { has: (password) => known.has(password) };
}
