// Change of an account's e-mail address: requested with the password, and completed by a link mailed to the new
// address.
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
  /** True if another account has the new address. No link is then sent, and the owner of that account gets a notice. */
  readonly isTaken: boolean;
}

/**
 * Requests a change, and replaces a pending one. The caller cannot see whether the address is taken. Throws
 * `invalid_request` for the account's current address, and the errors of `assertStillAuthenticated`.
 */
export function requestEmailChange(account: Account, { proof, newEmail, isTaken }: RequestedEmail, at: Date): Change {
  assertStillAuthenticated(account, proof, at);
  assertOtherEmail(account, newEmail);
  const { account: linked, facts } = withLink(account, { ...newLink('confirm-email', at), newEmail });
  const mailed = withMail(linked, isTaken ? 'email-in-use' : 'confirm-email', at, newEmail);
  return { account: withMail(mailed, 'email-change-requested', at, account.email), facts, result: undefined };
}

/**
 * Completes the change. Sessions and keys stay valid. The new address counts as verified, because the link was mailed
 * to it. The result is the new address, or undefined if the link was not valid. Throws `account_suspended`.
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

/**
 * Changes the account's address on behalf of the operator, and mails a verification link to the new address. The owner
 * does not have to confirm the change. Throws `invalid_request` if the account already has this address.
 */
export function setEmail(account: Account, newEmail: string, at: Date): Change {
  assertOtherEmail(account, newEmail);
  const changed = withEmail({ ...account, emailVerified: false }, newEmail, at);
  const mailed = sendLink(changed.account, 'verify-email', at);
  return { account: mailed.account, facts: [...changed.facts, ...mailed.facts], result: undefined };
}

/** Throws `invalid_request` if the new address is the current one, even in different upper and lower case. */
export function assertOtherEmail({ email }: Pick<Account, 'email'>, newEmail: string): void {
  if (emailIdentity(email) === emailIdentity(newEmail))
    throw invalidField('newEmail', 'already the address of this account', 'another e-mail address');
}

/** Changes the address. Links mailed to the old address become invalid. Unsent mails still go to the old address. */
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
