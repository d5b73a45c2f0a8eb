// Password blocklist in memory: that of zxcvbn-ts (frequent passwords of public breaches), and the operator's.
import { dictionary } from '@zxcvbn-ts/language-common';
import type { CommonPasswords } from '../../ports/common-passwords.js';

interface Options {
  /** Shorter ones are rejected for their length already. */
  readonly minCharacters: number;
  readonly listed: readonly string[];
}

export function createCommonPasswords({ minCharacters, listed }: Options): CommonPasswords {
  const known = new Set<string>();
  for (const list of [dictionary['passwords-common'], listed])
    for (const password of list) if (password.length >= minCharacters) known.add(password.toLowerCase());
  return { has: (password) => known.has(password) };
}
