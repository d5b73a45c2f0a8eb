// E-mail links (reset the password, verify the address, confirm a new one): valid once, for a limited time.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../platform/text/base62.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { CLOCK_TOLERANCE_MS, DAY_MS, MINUTE_MS } from '../platform/time.js';

/** How long a link of each purpose is valid. */
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
 * The stored part of a link. Its token is made of this and a secret that is not in the database, so that the mail can
 * be written (again) at any time, and a reader of the database cannot use the link.
 */
export const linkSchema = z.object({
  purpose: z.enum(LINK_PURPOSES),
  /** 16 Base62 characters. */
  nonce: z.string(),
  expiresAt: instant,
  /** Present for `confirm-email` only: the address that the account gets, as typed, trimmed. */
  newEmail: z.string().optional(),
});
export type OpenLink = RecordOf<typeof linkSchema>;

/** Valid from `at` on. */
export function newLink(purpose: LinkPurpose, at: Date): OpenLink {
  return { purpose, nonce: randomBase62(NONCE_LENGTH), expiresAt: new Date(at.getTime() + LINK_LIFETIME_MS[purpose]) };
}

/** Validity left, ms; 0 when it has expired, or ends later than any link made by now: a clock was ahead. */
export function linkTimeLeft({ purpose, expiresAt }: Pick<OpenLink, 'purpose' | 'expiresAt'>, at: Date): number {
  const leftMs = expiresAt.getTime() - at.getTime();
  return leftMs > LINK_LIFETIME_MS[purpose] + CLOCK_TOLERANCE_MS ? 0 : Math.max(0, leftMs);
}

/** Valid for at least half of its lifetime yet. */
export function hasHalfLifeLeft(link: OpenLink, at: Date): boolean {
  return linkTimeLeft(link, at) >= LINK_LIFETIME_MS[link.purpose] / 2;
}

/** Account reference, nonce and HMAC-SHA256 over both and the purpose. */
export function linkToken(
  accountId: AccountId,
  { purpose, nonce }: Pick<OpenLink, 'purpose' | 'nonce'>,
  secret: string,
): string {
  return (
    accountId + nonce + createHmac('sha256', secret).update(`${purpose}:${accountId}:${nonce}`).digest('base64url')
  );
}

/** The account that a token claims to belong to; undefined for malformed text. `linkOf` decides whether it is valid. */
export function linkAccount(token: string): AccountId | undefined {
  return LINK_TOKEN_PATTERN.test(token) ? (token.slice(0, ACCOUNT_ID_LENGTH) as AccountId) : undefined;
}

/** The open link that this token stands for. Any of the secrets may have made it. */
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
