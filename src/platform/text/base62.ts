// Base62 text: digits and letters only. It is safe in shells and URLs, and a double click selects the whole text.
import { randomInt } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Length of an account id: 62^12 > 2^71, so two accounts practically never get the same id. */
export const ACCOUNT_ID_LENGTH = 12;

/** Returns random text from the system's secure random source, without modulo bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) text += BASE62.charAt(randomInt(BASE62.length));
  return text;
}
