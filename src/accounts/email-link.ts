// Mailed links (password reset, e-mail verification, e-mail change). Each link is valid once and for a limited time.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../platform/text/base62.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { CLOCK_TOLERANCE_MS, DAY_MS, MINUTE_MS } from '../platform/time.js';

export const LINK_LIFETIME_MS = {
  'reset-password': 30 * MINUTE_MS,
  'verify-email': 3 * DAY_MS,
  'confirm-email': DAY_MS,
} as const;
export type LinkPurpose = keyof typeof LINK_LIFETIME_MS;
const LINK_PURPOSES = Object.keys(LINK_LIFETIME_MS) as [LinkPurpose, ...LinkPurpose[]];

const NONCE_LENGTH = 16;
export const LINK_TOKEN_PATTERN = /^[0-9A-Za-z]{28}[0-9A-Za-z_-]{43}$/;

/**
 * Stored part of a link. The link's token is derived from this part and from a secret that is not in the database. The
 * mail can therefore be written again at any time, but a person who reads the database cannot use the link.
 */
export const linkSchema = z.object({
  purpose: z.enum(LINK_PURPOSES),
  /** Random part, 16 Base62 characters. */
  nonce: z.string(),
  expiresAt: instant,
  /** New address of the account, as typed and trimmed. Present only for `confirm-email`. */
  newEmail: z.string().optional(),
});
export type OpenLink = RecordOf<typeof linkSchema>;

export function newLink(purpose: LinkPurpose, at: Date): OpenLink {
  return { purpose, nonce: randomBase62(NONCE_LENGTH), expiresAt: new Date(at.getTime() + LINK_LIFETIME_MS[purpose]) };
}

/**
 * Returns the remaining validity in ms; 0 for an expired link. Also returns 0 for a link that would stay valid longer
 * than a new link, because the end of its validity was set with a wrong clock.
 */
export function linkTimeLeft({ purpose, expiresAt }: Pick<OpenLink, 'purpose' | 'expiresAt'>, at: Date): number {
  const leftMs = expiresAt.getTime() - at.getTime();
  return leftMs > LINK_LIFETIME_MS[purpose] + CLOCK_TOLERANCE_MS ? 0 : Math.max(0, leftMs);
}

export function hasHalfLifeLeft(link: OpenLink, at: Date): boolean {
  return linkTimeLeft(link, at) >= LINK_LIFETIME_MS[link.purpose] / 2;
}

/** Returns the token: account id, nonce, and an HMAC-SHA256 over id, nonce and purpose. */
export function linkToken(
  accountId: AccountId,
  { purpose, nonce }: Pick<OpenLink, 'purpose' | 'nonce'>,
  secret: string,
): string {
  return (
    accountId + nonce + createHmac('sha256', secret).update(`${purpose}:${accountId}:${nonce}`).digest('base64url')
  );
}

/** Returns the account id in a token, or undefined for malformed text. Does not check the signature: `linkOf` does. */
export function linkAccount(token: string): AccountId | undefined {
  return LINK_TOKEN_PATTERN.test(token) ? (token.slice(0, ACCOUNT_ID_LENGTH) as AccountId) : undefined;
}

/**
 * Returns the account's valid link of this token. Returns undefined if there is none, or if the token is not signed
 * with one of the secrets.
 */
export function linkOf(
  account: { readonly id: AccountId; readonly links: readonly OpenLink[] },
  token: string,
  { purpose, secrets, at }: { purpose: LinkPurpose; secrets: readonly string[]; at: Date },
): OpenLink | undefined {
  const given = Buffer.from(token);
  return account.links.find(
    (link) =>
      link.purpose === purpose &&
      linkTimeLeft(link, at) > 0 &&
      secrets.some((secret) => {
        const right = Buffer.from(linkToken(account.id, link, secret));
        return right.length === given.length && timingSafeEqual(right, given);
      }),
  );
}
