// Browsers that signed in before: they carry a signed cookie, and their sign-ins are counted apart from strangers', so
// that strangers cannot lock the owner out (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from './base62.js';

export const DEVICE_DAYS = 365;
const ID_LENGTH = 16;
const TOKEN_PATTERN = /^([0-9A-Za-z]{16})[\w-]{43}$/;

function signed(id: string, identity: string, secret: string): string {
  return id + createHmac('sha256', secret).update(`device:${id}:${identity}`).digest('base64url');
}

/** For one e-mail identity on one device. */
export function newDevice(identity: string, secret: string): string {
  return signed(randomBase62(ID_LENGTH), identity, secret);
}

/** The device's id, if this token was made for this identity with one of the secrets. */
export function deviceOf(token: string, identity: string, secrets: readonly string[]): string | undefined {
  const id = TOKEN_PATTERN.exec(token)?.[1];
  if (id === undefined) return undefined;
  const given = Buffer.from(token);
  return secrets.some((secret) => timingSafeEqual(Buffer.from(signed(id, identity, secret)), given)) ? id : undefined;
}
