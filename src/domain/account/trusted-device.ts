// Browsers that signed in before, or set the password by link: they carry a signed cookie, and their sign-ins are
// counted apart from strangers', so that strangers cannot lock the owner out
// (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PasswordRecord } from './account.js';
import { randomBase62 } from '../base62.js';
import { DAY_MS } from '../time.js';

export const DEVICE_MS = 365 * DAY_MS;
const ID_LENGTH = 16;
const TOKEN_PATTERN = /^([0-9A-Za-z]{16})([0-9a-z]{1,10})\.[\w-]{43}$/;

/** Whom a token is for: an account with this e-mail identity and password, at this time. */
export interface DeviceHolder {
  readonly identity: string;
  readonly account: Pick<PasswordRecord, 'id' | 'password'>;
  readonly at: Date;
}

/** The account is undefined when nobody has this e-mail address. */
type Claimed = Omit<DeviceHolder, 'account'> & { readonly account: DeviceHolder['account'] | undefined };

/** The account's reference is signed too: who registers an address anew may be somebody else. */
function signed(stamped: string, { identity, account }: Pick<Claimed, 'identity' | 'account'>, secret: string): string {
  const text = `device:${stamped}:${account?.id ?? ''}:${account?.password.version ?? 0}:${identity}`;
  return `${stamped}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** A token from now on, for the device of a token that is still good, else for a new device. The first secret signs. */
export function renewedDevice(
  token: string | undefined,
  holder: DeviceHolder,
  secrets: readonly [string, ...string[]],
): string {
  const known = token === undefined ? undefined : deviceOf(token, holder, secrets);
  return signed((known ?? randomBase62(ID_LENGTH)) + holder.at.getTime().toString(36), holder, secrets[0]);
}

/**
 * The device's id, if this token was made with one of the secrets for this account and its present password, less than
 * 365 days ago. Nobody's account has none, which takes as long to find.
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
