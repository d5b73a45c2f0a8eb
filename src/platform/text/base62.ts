// Base62 text: digits and letters only, safe in shells and URLs, selected whole by a double click.
import { randomInt } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^12 > 2^71: enough that no two accounts get the same id. */
export const ACCOUNT_ID_LENGTH = 12;

/** From the system's secure source, without modulo bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) text += BASE62.charAt(randomInt(BASE62.length));
  return text;
}
