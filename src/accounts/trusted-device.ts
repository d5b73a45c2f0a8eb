// Trusted devices: browsers that signed in before, or reset the password by link. They carry a signed cookie, and their
// wrong passwords are counted apart from other clients', which therefore cannot lock the owner out
// (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PasswordRecord } from './account.js';
import { randomBase62 } from '../platform/text/base62.js';
import { DAY_MS } from '../platform/time.js';

export const DEVICE_MS = 365 * DAY_MS;
const ID_LENGTH = 16;
const TOKEN_PATTERN = /^([0-9A-Za-z]{16})([0-9a-z]{1,10})\.[\w-]{43}$/;

/** The owner that a token is issued for: an account with this password, at this time. */
export interface DeviceOwner {
  readonly account: Pick<PasswordRecord, 'id' | 'password'>;
  readonly at: Date;
}

/** The account is undefined when none has this e-mail address. */
type Claimed = Omit<DeviceOwner, 'account'> & { readonly account: DeviceOwner['account'] | undefined };

/** Signs the account's reference, not its address, which may change. */
function signed(stamped: string, { account }: Pick<Claimed, 'account'>, secret: string): string {
  const text = `device:${stamped}:${account?.id ?? ''}:${account?.password.version ?? 0}`;
  return `${stamped}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/**
 * A token valid from now on: of the same device if the old token is valid, else of a new one. The first secret signs.
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
 * The device's id, if this token was made with one of the secrets for this account and its present password, less than
 * 365 days ago. Undefined, after the same work, where there is no account.
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
