// Change of an account's e-mail address: requested with the password, carried out by a link in a mail to the new one.
import { AppError, invalidField } from '../../platform/errors.js';
import { emailIdentity, type Account } from '../account.js';
import { linkOf, newLink } from '../email-link.js';
import { unchanged, type Change } from './change.js';
import { sendLink, withLink, type UsedLink } from './email-links.js';
import { withMail } from './mails.js';
import { assertStillAuthenticated, type Reauthentication } from './reauthentication.js';

interface RequestedEmail {
  readonly proof: Reauthentication;
  readonly newEmail: string;
  /** Another account has it: its owner is told so, and gets no link. */
  readonly isTaken: boolean;
}

/**
 * Replaces a pending change. The owner sees the same whether or not the address is taken. Throws `invalid_request` for the
 * address that the account has, and what `assertStillAuthenticated` throws.
 */
export function requestEmailChange(account: Account, { proof, newEmail, isTaken }: RequestedEmail, at: Date): Change {
  assertStillAuthenticated(account, proof, at);
  assertOtherEmail(account, newEmail);
  const { account: linked, facts } = withLink(account, { ...newLink('confirm-email', at), newEmail });
  const mailed = withMail(linked, isTaken ? 'email-in-use' : 'confirm-email', at, newEmail);
  return { account: withMail(mailed, 'email-change-requested', at, account.email), facts, result: undefined };
}

/**
 * Sessions and keys live on. A reader of the mail owns the address, so it is verified. The result: the new address; undefined
 * when the link was not valid. Throws `account_suspended`.
 */
export function confirmEmailChange(
  account: Account,
  { token, secrets }: UsedLink,
  at: Date,
): Change<string | undefined> {
  const newEmail = linkOf(account, token, { purpose: 'confirm-email', secrets, at })?.newEmail;
  if (newEmail === undefined) return unchanged(account);
  if (account.suspended) throw new AppError('account_suspended');
  return { ...withEmail({ ...account, emailVerified: true }, newEmail, at), result: newEmail };
}

/** By the operator, at once; a link to verify the address is mailed to it. Throws `invalid_request` as the request does. */
export function setEmail(account: Account, newEmail: string, at: Date): Change {
  assertOtherEmail(account, newEmail);
  const changed = withEmail({ ...account, emailVerified: false }, newEmail, at);
  const mailed = sendLink(changed.account, 'verify-email', at);
  return { account: mailed.account, facts: [...changed.facts, ...mailed.facts], result: undefined };
}

/** Throws `invalid_request` when it is the same address, also in other letters. */
export function assertOtherEmail({ email }: Pick<Account, 'email'>, newEmail: string): void {
  if (emailIdentity(email) === emailIdentity(newEmail))
    throw invalidField('newEmail', 'the address that the account has already', 'another e-mail address');
}

/** Links in mails to the old address are void. What is not sent yet is about the account with that address. */
function withEmail(account: Account, email: string, at: Date): Change {
  const { email: old, billing } = account;
  const mails = account.mails.map((mail) => ({ ...mail, to: mail.to ?? old }));
  const changed: Account = {
    ...account,
    email,
    links: [],
    mails,
    billing: billing && { ...billing, isEmailOutdated: true, retryAt: at },
  };
  return {
    account: withMail(changed, 'email-changed', at, old),
    facts: [{ type: 'user_updated', detail: { emailChanged: true } }],
    result: undefined,
  };
}
