// Pending mails of an account: added by changes, settled after sending.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { isDue, newMail, retried, type MailKind, type NoticeKind } from '../pending-mail.js';
import { MINUTE_MS } from '../../platform/time.js';

/** The oldest of more are dropped. */
const MAX_MAILS = 20;
/** Between two notices of one kind. */
export const NOTICE_STEP_MS = 10 * MINUTE_MS;

/** Adds a mail that is due at once; without `to`, to the address of the account. */
export function withMail(account: Account, kind: MailKind, at: Date, to?: string): Account {
  return { ...account, mails: [...account.mails, newMail(kind, at, { to })].slice(-MAX_MAILS) };
}

/**
 * Notices of one kind are sent at once, and then at most every ten minutes, for everything meanwhile: inboxes must not
 * be filled.
 */
export function withNotice(account: Account, kind: NoticeKind, at: Date): Account {
  // Those to an address that the account had before do not reach the owner at the present one.
  const same = account.mails.filter((mail) => mail.kind === kind && mail.to === undefined);
  // One that waits because sending failed is about an earlier event.
  if (same.some((mail) => mail.tries === 0 && !isDue(mail, at))) return account;
  const last = account.noticedAt[kind]?.getTime() ?? 0;
  // The last one is due a step ahead at most; what is further ahead was dated by a wrong clock.
  const dueMs = last - at.getTime() > NOTICE_STEP_MS ? 0 : last + NOTICE_STEP_MS;
  const dueAt = new Date(Math.max(at.getTime(), dueMs));
  // However long sending fails, only the oldest and the newest notice of a kind are kept, so others are not pushed out.
  const [, ...between] = same.filter(({ tries }) => tries > 0);
  const mails = [...account.mails.filter((mail) => !between.includes(mail)), newMail(kind, at, { dueAt })].slice(
    -MAX_MAILS,
  );
  return { ...account, mails, noticedAt: { ...account.noticedAt, [kind]: dueAt } };
}

/** `sent` is false when it has to be tried again later. */
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
