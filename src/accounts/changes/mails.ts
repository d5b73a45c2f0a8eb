// Unsent mails of an account. Changes of the account add mails. When the outbox has tried to send a mail, it removes
// the mail, or reschedules it if the try failed.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import {
  isDue,
  newMail,
  retried,
  type MailContent,
  type MailKind,
  type NoticeKind,
  type PendingMail,
} from '../pending-mail.js';
import { MINUTE_MS } from '../../platform/time.js';

/** Maximum number of unsent mails per account. If there are more, the oldest mails are dropped. */
const MAX_MAILS = 20;
/** Minimum time in ms between two notices of the same kind. */
export const NOTICE_STEP_MS = 10 * MINUTE_MS;

/** Adds a mail that is due immediately. Without `to`, it goes to the account's address. */
export function withMail(account: Account, kind: MailKind, at: Date, to?: string): Account {
  return withMails(account, [newMail(kind, at, { to })]);
}

/**
 * Adds a mail whose content another feature has written. The mail is due immediately and goes to the account's address.
 */
export function withWrittenMail(account: Account, kind: MailKind, at: Date, content: MailContent): Account {
  return withMails(account, [newMail(kind, at, { content })]);
}

function withMails(account: Account, mails: readonly PendingMail[]): Account {
  return { ...account, mails: [...account.mails, ...mails].slice(-MAX_MAILS) };
}

/**
 * Adds a notice. The first notice of a kind is due immediately. After that, at most one notice of that kind is due in
 * ten minutes.
 */
export function withNotice(account: Account, kind: NoticeKind, at: Date, content?: MailContent): Account {
  // Notices to a previous address are ignored, because the owner cannot read them.
  const same = account.mails.filter((mail) => mail.kind === kind && mail.to === undefined);
  // If an earlier notice of this kind is not due yet, no notice is added, because the earlier one will also report this
  // change. An earlier notice with failed attempts does not count, because it may never arrive.
  if (same.some((mail) => mail.tries === 0 && !isDue(mail, at))) return account;
  const last = account.noticedAt[kind]?.getTime() ?? 0;
  // With a correct clock, the last notice is never due more than `NOTICE_STEP_MS` from now. A later due time comes from
  // a wrong clock and is ignored.
  const dueMs = last - at.getTime() > NOTICE_STEP_MS ? 0 : last + NOTICE_STEP_MS;
  const dueAt = new Date(Math.max(at.getTime(), dueMs));
  // Of the notices of this kind whose sending has failed, keeps only the oldest. The others would push other mails out
  // of the list.
  const [, ...between] = same.filter(({ tries }) => tries > 0);
  const mails = [
    ...account.mails.filter((mail) => !between.includes(mail)),
    newMail(kind, at, { dueAt, content }),
  ].slice(-MAX_MAILS);
  return { ...account, mails, noticedAt: { ...account.noticedAt, [kind]: dueAt } };
}

/**
 * Removes a sent mail. If `sent` is false, schedules the next attempt. Removes a mail that is too old for another
 * attempt.
 */
export function settleMail(
  account: Account,
  id: string,
  { sent, at }: { readonly sent: boolean; readonly at: Date },
): Change {
  const mail = account.mails.find((one) => one.id === id);
  if (!mail) return unchanged(account);
  const again = sent ? undefined : retried(mail, at);
  const mails = account.mails.flatMap((one) => (one !== mail ? [one] : again ? [again] : []));
  return { account: { ...account, mails }, facts: [], result: undefined };
}
