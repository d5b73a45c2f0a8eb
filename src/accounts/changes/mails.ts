// Pending mails of an account: added by changes, and settled after sending.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { isDue, newMail, retried, type MailKind, type NoticeKind } from '../pending-mail.js';
import { MINUTE_MS } from '../../platform/time.js';

/** Maximum number of mails; the oldest ones beyond it are dropped. */
const MAX_MAILS = 20;
/** Minimum time in ms between two notices of one kind. */
export const NOTICE_STEP_MS = 10 * MINUTE_MS;

/** Adds a mail that is due immediately. Without `to`, it goes to the account's address. */
export function withMail(account: Account, kind: MailKind, at: Date, to?: string): Account {
  return { ...account, mails: [...account.mails, newMail(kind, at, { to })].slice(-MAX_MAILS) };
}

/**
 * Adds a notice. The first notice of a kind is sent immediately. Further notices are combined into at most one every
 * ten minutes, so that inboxes are not filled.
 */
export function withNotice(account: Account, kind: NoticeKind, at: Date): Account {
  // A notice to a previous address does not reach the owner's current one, so it does not count.
  const same = account.mails.filter((mail) => mail.kind === kind && mail.to === undefined);
  // A notice that is being retried after a failure is about an earlier event, so it does not count.
  if (same.some((mail) => mail.tries === 0 && !isDue(mail, at))) return account;
  const last = account.noticedAt[kind]?.getTime() ?? 0;
  // The last notice is due at most one step ahead. A later time was written by a wrong clock.
  const dueMs = last - at.getTime() > NOTICE_STEP_MS ? 0 : last + NOTICE_STEP_MS;
  const dueAt = new Date(Math.max(at.getTime(), dueMs));
  // If sending keeps failing, only the oldest and the newest notice of a kind are kept. Other mails are therefore not
  // dropped.
  const [, ...between] = same.filter(({ tries }) => tries > 0);
  const mails = [...account.mails.filter((mail) => !between.includes(mail)), newMail(kind, at, { dueAt })].slice(
    -MAX_MAILS,
  );
  return { ...account, mails, noticedAt: { ...account.noticedAt, [kind]: dueAt } };
}

/** Settles a mail. `sent` is false if it must be retried later. */
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
