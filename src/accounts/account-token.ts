// Account tokens: signed references to an account, each for one purpose (such as an unsubscribe link). They are not
// stored and never expire.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ACCOUNT_ID_LENGTH } from '../platform/text/base62.js';
import type { AccountId } from './account-id.js';

export const ACCOUNT_TOKEN_PATTERN = /^[0-9A-Za-z]{12}[0-9A-Za-z_-]{43}$/;

/** Returns the token: account id, and an HMAC-SHA256 over purpose and account id. */
export function accountToken(id: AccountId, purpose: string, secret: string): string {
  return id + createHmac('sha256', secret).update(`account ${purpose}:${id}`).digest('base64url');
}

/**
 * Returns the account of a token, or undefined if the token is invalid. Accepts tokens made with any of the secrets.
 */
export function accountOfToken(token: string, purpose: string, secrets: readonly string[]): AccountId | undefined {
  if (!ACCOUNT_TOKEN_PATTERN.test(token)) return undefined;
  const id = token.slice(0, ACCOUNT_ID_LENGTH) as AccountId;
  const given = Buffer.from(token);
  return secrets.some((secret) => timingSafeEqual(Buffer.from(accountToken(id, purpose, secret)), given))
    ? id
    : undefined;
}
