// Base62 text: only digits and letters, safe in shells and URLs. A double click selects all of it.
import { randomInt } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^12 > 2^71: enough that no two accounts get the same id. */
export const ACCOUNT_ID_LENGTH = 12;

/** Returns random text from the system's secure source, without modulo bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) text += BASE62.charAt(randomInt(BASE62.length));
  return text;
}
