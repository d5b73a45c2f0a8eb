// Pending mails, stored with their account until they are sent: a crash repeats one, but loses none.
import { z } from 'zod';
import { randomBase62 } from '../platform/text/base62.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { earlier, HOUR_MS, MINUTE_MS } from '../platform/time.js';

/** Mails that report a change, without a request for them, however often there may be one. */
export const NOTICE_KINDS = [
  'key-replaced',
  'publishable-keys-changed',
  'password-changed',
  'password-changed-by-link',
  'sign-ins-throttled',
  'registration-tried',
  'subscription-changed',
  'billing-page-opened',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export const MAIL_KINDS = [
  'verify-email',
  'reset-password',
  'confirm-email',
  'email-in-use',
  'email-change-requested',
  'email-changed',
  ...NOTICE_KINDS,
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const mailSchema = z.object({
  /** Also its Message-ID, by which a mail server can recognize a repetition. */
  id: z.string(),
  kind: z.enum(MAIL_KINDS),
  /** Recipient, where it is not the address that the account has when the mail is sent. */
  to: z.string().optional(),
  at: instant,
  /** Number of failed attempts to send it. */
  tries: z.int(),
  /** Not sent before. */
  dueAt: instant,
});
export type PendingMail = RecordOf<typeof mailSchema>;

/** Longest delay between two tries. */
export const MAX_RETRY_DELAY_MS = HOUR_MS;
/** From then on a mail is too old to be of use, and is dropped. */
const MAX_AGE_MS = 48 * HOUR_MS;
const ID_LENGTH = 20;

/** Sent from `dueAt` on. */
export function newMail(
  kind: MailKind,
  at: Date,
  { dueAt = at, to }: { readonly dueAt?: Date; readonly to?: string | undefined } = {},
): PendingMail {
  return { id: randomBase62(ID_LENGTH), kind, ...(to !== undefined && { to }), at, tries: 0, dueAt };
}

/** Also one that is due later than any retry: a clock that was ahead has dated it. */
export function isDue({ dueAt }: Pick<PendingMail, 'dueAt'>, now: Date): boolean {
  const aheadMs = dueAt.getTime() - now.getTime();
  return aheadMs <= 0 || aheadMs > MAX_RETRY_DELAY_MS;
}

/**
 * After a failure: 1, 2, 4 … 60 minutes later; undefined when it is too old. One dated ahead of now is dated
 * now.
 */
export function retried(mail: PendingMail, now: Date): PendingMail | undefined {
  if (now.getTime() - mail.at.getTime() >= MAX_AGE_MS) return undefined;
  const waitMs = Math.min(MAX_RETRY_DELAY_MS, MINUTE_MS * 2 ** mail.tries);
  return { ...mail, at: earlier(mail.at, now), tries: mail.tries + 1, dueAt: new Date(now.getTime() + waitMs) };
}
