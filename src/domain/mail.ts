// Mails that an account owes its owner. They are kept with the account until they are sent: a crash repeats one, loses none.
import { randomBase62 } from './base62.js';
import { HOUR_MS, MINUTE_MS } from './time.js';

export const MAIL_KINDS = ['verify-email', 'reset-password', 'key-replaced', 'password-changed', 'password-changed-by-link', 'sign-ins-throttled'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
/** Those that nobody asked for. */
export const NOTICE_KINDS = ['key-replaced', 'password-changed', 'password-changed-by-link', 'sign-ins-throttled'] as const satisfies readonly MailKind[];
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

const LONGEST_WAIT_MS = HOUR_MS;
/** Then it is given up: nobody wants the news of the day before yesterday. */
const GIVE_UP_MS = 48 * HOUR_MS;
const ID_LENGTH = 20;

export function newMail(kind: MailKind, at: Date, dueAt = at): PendingMail {
  return { id: randomBase62(ID_LENGTH), kind, at, tries: 0, dueAt };
}

/** After a failure: 1, 2, 4 … 60 minutes later; undefined when it is time to give up. */
export function retried(mail: PendingMail, now: Date): PendingMail | undefined {
  if (now.getTime() - mail.at.getTime() >= GIVE_UP_MS) return undefined;
  const waitMs = Math.min(LONGEST_WAIT_MS, MINUTE_MS * 2 ** mail.tries);
  return { ...mail, tries: mail.tries + 1, dueAt: new Date(now.getTime() + waitMs) };
}
