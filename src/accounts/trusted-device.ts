// Trusted devices: browsers with a signed cookie, which they got at a sign-in or a password reset by link. Wrong
// passwords from these browsers have separate limits, so that other clients cannot lock the owner out
// (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PasswordRecord } from './account.js';
import { randomBase62 } from '../platform/text/base62.js';
import { DAY_MS } from '../platform/time.js';

export const DEVICE_MS = 365 * DAY_MS;
const ID_LENGTH = 16;
const TOKEN_PATTERN = /^([0-9A-Za-z]{16})([0-9a-z]{1,10})\.[\w-]{43}$/;

/** Account for which a device token is made, and the time at which it is made. */
export interface DeviceOwner {
  readonly account: Pick<PasswordRecord, 'id' | 'password'>;
  readonly at: Date;
}

/**
 * Account and time for which a device token is checked. `account` is undefined if no account has the e-mail address.
 */
type Claimed = Omit<DeviceOwner, 'account'> & { readonly account: DeviceOwner['account'] | undefined };

/**
 * Returns a device token: `stamped` (device id and time) with a signature. The signature is for the account id and not
 * for the e-mail address, because the address may change.
 */
function signed(stamped: string, { account }: Pick<Claimed, 'account'>, secret: string): string {
  const text = `device:${stamped}:${account?.id ?? ''}:${account?.password.version ?? 0}`;
  return `${stamped}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/**
 * Returns a token with the current time, signed with the first secret. Keeps the device id of `token` if `token` is
 * valid. Otherwise creates a new device id.
 */
export function renewedDevice(
  token: string | undefined,
  owner: DeviceOwner,
  secrets: readonly [string, ...string[]],
): string {
  const known = token === undefined ? undefined : deviceOf(token, owner, secrets);
  return signed((known ?? randomBase62(ID_LENGTH)) + owner.at.getTime().toString(36), owner, secrets[0]);
}

/**
 * Returns the device id of a valid token. A token is valid for 365 days if one of the secrets has signed it for this
 * account and its current password. Without an account, returns undefined after the same time, so that response times
 * do not reveal whether the account exists.
 */
export function deviceOf(token: string, claimed: Claimed, secrets: readonly string[]): string | undefined {
  const [, id, issued] = TOKEN_PATTERN.exec(token) ?? [];
  if (id === undefined || issued === undefined) return undefined;
  if (claimed.at.getTime() - Number.parseInt(issued, 36) >= DEVICE_MS) return undefined;
  const given = Buffer.from(token);
  return secrets.some((secret) => timingSafeEqual(Buffer.from(signed(id + issued, claimed, secret)), given))
    ? id
    : undefined;
}
