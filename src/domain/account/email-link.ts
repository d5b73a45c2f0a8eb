// Links in mails (reset the password, verify the address): good once, for a while.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../base62.js';
import { CLOCK_TOLERANCE_MS, DAY_MS, MINUTE_MS } from '../time.js';

/** How long a link of each purpose is good for. */
export const LINK_LIFETIME_MS = { 'reset-password': 30 * MINUTE_MS, 'verify-email': 3 * DAY_MS } as const;
export type LinkPurpose = keyof typeof LINK_LIFETIME_MS;

const NONCE_LENGTH = 16;
export const LINK_TOKEN_PATTERN = /^[0-9A-Za-z]{28}[0-9A-Za-z_-]{43}$/;

/**
 * What is kept of a link. Its token is made of this and a secret that the database does not hold, so that the mail can
 * be written (again) at any time, and who reads the database cannot use the link.
 */
export interface OpenLink {
  readonly purpose: LinkPurpose;
  /** 16 Base62 characters. */
  readonly nonce: string;
  readonly expiresAt: Date;
}

export function newLink(purpose: LinkPurpose, at: Date): OpenLink {
  return { purpose, nonce: randomBase62(NONCE_LENGTH), expiresAt: new Date(at.getTime() + LINK_LIFETIME_MS[purpose]) };
}

/** How long it is good for, ms; 0 when it has expired, or ends later than any link made by now: a clock was ahead. */
export function linkTimeLeft({ purpose, expiresAt }: Pick<OpenLink, 'purpose' | 'expiresAt'>, at: Date): number {
  const leftMs = expiresAt.getTime() - at.getTime();
  return leftMs > LINK_LIFETIME_MS[purpose] + CLOCK_TOLERANCE_MS ? 0 : Math.max(0, leftMs);
}

/** Good for at least half of its time yet. */
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

/** Whose link it says it is; undefined for what was never a link. Whether it is one, `linkOf` says. */
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
