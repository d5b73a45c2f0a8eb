// Unsent mails, stored with their account. After a crash, a mail may be sent twice, but is never lost.
import { z } from 'zod';
import { randomBase62 } from '../platform/text/base62.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { earlier, HOUR_MS, MINUTE_MS } from '../platform/time.js';

/** Notices: kinds of mails that report a change. No user requests them, and many may be added in a short time. */
export const NOTICE_KINDS = [
  'key-replaced',
  'publishable-keys-changed',
  'password-changed',
  'password-changed-by-link',
  'sign-ins-throttled',
  'registration-tried',
  'subscription-changed',
  'billing-page-opened',
  'webhooks-changed',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export const MAIL_KINDS = [
  'verify-email',
  'reset-password',
  'confirm-email',
  'email-in-use',
  'email-change-requested',
  'email-changed',
  'quota-alert',
  'webhook-disabled',
  ...NOTICE_KINDS,
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Text of a mail that another feature has written. Without this field, the kind of the mail decides its text. */
const mailContentSchema = z.object({
  subject: z.string(),
  lines: z.array(z.string()),
  /** Button that opens a page of the dashboard. */
  page: z.object({ label: z.string(), path: z.string() }).optional(),
  /** One-click link to unsubscribe from mails of this kind: its path, and the purpose of its token (`accountToken`). */
  unsubscribe: z.object({ path: z.string(), purpose: z.string() }).optional(),
});
export type MailContent = RecordOf<typeof mailContentSchema>;

export const mailSchema = z.object({
  /** Id, also used as Message-ID, so that mail servers can detect a mail that is sent twice. */
  id: z.string(),
  kind: z.enum(MAIL_KINDS),
  content: mailContentSchema.optional(),
  /** Recipient. If absent, the mail goes to the address that the account has at the time of sending. */
  to: z.string().optional(),
  at: instant,
  /** Number of failed attempts. */
  tries: z.int(),
  /** Earliest time of the next attempt. */
  dueAt: instant,
});
export type PendingMail = RecordOf<typeof mailSchema>;

/** Maximum delay in ms between two attempts. */
export const MAX_RETRY_DELAY_MS = HOUR_MS;
/** Maximum age in ms of an unsent mail. Older mails are dropped. */
const MAX_AGE_MS = 48 * HOUR_MS;
const ID_LENGTH = 20;

interface NewMail {
  readonly dueAt?: Date;
  readonly to?: string | undefined;
  readonly content?: MailContent | undefined;
}

export function newMail(kind: MailKind, at: Date, { dueAt = at, to, content }: NewMail = {}): PendingMail {
  const given = { ...(to !== undefined && { to }), ...(content && { content }) };
  return { id: randomBase62(ID_LENGTH), kind, ...given, at, tries: 0, dueAt };
}

/**
 * Returns true if the mail is due. Returns true for a due time later than any retry, because a wrong clock has set that
 * time.
 */
export function isDue({ dueAt }: Pick<PendingMail, 'dueAt'>, now: Date): boolean {
  const aheadMs = dueAt.getTime() - now.getTime();
  return aheadMs <= 0 || aheadMs > MAX_RETRY_DELAY_MS;
}

/**
 * Returns the mail with the time of its next attempt. The delay increases with each attempt: 1, 2, 4 … 60 minutes.
 * Returns undefined if the mail is too old. Replaces a creation date in the future by `now`.
 */
export function retried(mail: PendingMail, now: Date): PendingMail | undefined {
  if (now.getTime() - mail.at.getTime() >= MAX_AGE_MS) return undefined;
  const waitMs = Math.min(MAX_RETRY_DELAY_MS, MINUTE_MS * 2 ** mail.tries);
  return { ...mail, at: earlier(mail.at, now), tries: mail.tries + 1, dueAt: new Date(now.getTime() + waitMs) };
}
