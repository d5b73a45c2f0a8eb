// Mails that an account owes its owner. They are kept with the account until they are sent: a crash repeats one, loses
// none.
import { randomBase62 } from '../base62.js';
import { earlier, HOUR_MS, MINUTE_MS } from '../time.js';

export const MAIL_KINDS = [
  'verify-email',
  'reset-password',
  'key-replaced',
  'password-changed',
  'password-changed-by-link',
  'sign-ins-throttled',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
/** Those that nobody asked for. */
export const NOTICE_KINDS = [
  'key-replaced',
  'password-changed',
  'password-changed-by-link',
  'sign-ins-throttled',
] as const satisfies readonly MailKind[];
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface PendingMail {
  /** Also its Message-ID, by which a mail server can tell a repetition. */
  readonly id: string;
  readonly kind: MailKind;
  readonly at: Date;
  /** How often sending it has failed. */
  readonly tries: number;
  /** Not to be tried before. */
  readonly dueAt: Date;
}

/** No mail is put off for longer. */
export const LONGEST_WAIT_MS = HOUR_MS;
/** Then it is given up: nobody wants the news of the day before yesterday. */
const GIVE_UP_MS = 48 * HOUR_MS;
const ID_LENGTH = 20;

export function newMail(kind: MailKind, at: Date, dueAt = at): PendingMail {
  return { id: randomBase62(ID_LENGTH), kind, at, tries: 0, dueAt };
}

/** Also one that is due later than any mail is put off: a clock that was ahead has dated it. */
export function isDue({ dueAt }: Pick<PendingMail, 'dueAt'>, now: Date): boolean {
  const aheadMs = dueAt.getTime() - now.getTime();
  return aheadMs <= 0 || aheadMs > LONGEST_WAIT_MS;
}

/**
 * After a failure: 1, 2, 4 … 60 minutes later; undefined when it is time to give up. One dated ahead of now is dated
 * now.
 */
export function retried(mail: PendingMail, now: Date): PendingMail | undefined {
  if (now.getTime() - mail.at.getTime() >= GIVE_UP_MS) return undefined;
  const waitMs = Math.min(LONGEST_WAIT_MS, MINUTE_MS * 2 ** mail.tries);
  return { ...mail, at: earlier(mail.at, now), tries: mail.tries + 1, dueAt: new Date(now.getTime() + waitMs) };
}
