// Password blocklist in memory: that of zxcvbn-ts (frequent passwords of public breaches), and the operator's.
import { dictionary } from '@zxcvbn-ts/language-common';
import type { CommonPasswords } from '../../ports/common-passwords.js';

interface Options {
  /** Shorter ones are rejected for their length already. */
  readonly minCharacters: number;
  /** Lower case. */
  readonly listed: readonly string[];
}

export function createCommonPasswords({ minCharacters, listed }: Options): CommonPasswords {
  const inPublic = dictionary['passwords-common'].map((password) => password.toLowerCase());
  const known = new Set([...inPublic, ...listed].filter((password) => password.length >= minCharacters));
  return { has: (password) => known.has(password) };
}
