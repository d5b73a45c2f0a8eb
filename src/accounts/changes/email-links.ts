// Changes of an account's mailed links: adds and uses links.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { withPassword } from './credentials.js';
import { withMail } from './mails.js';
import { hasHalfLifeLeft, linkOf, newLink, type LinkPurpose, type OpenLink } from '../email-link.js';

/** Adds a link. Removes an older link of the same purpose, and an unsent mail with that link. */
export function withLink(account: Account, link: OpenLink): Change<OpenLink> {
  const { purpose } = link;
  const links = [...account.links.filter((other) => other.purpose !== purpose), link];
  return {
    account: { ...account, links, mails: account.mails.filter(({ kind }) => kind !== purpose) },
    facts: [{ type: 'authn_token_created', detail: { token: 'link', purpose } }],
    result: link,
  };
}

/**
 * Adds a mail with a link. If the stored link has at least half of its lifetime left, mails it again. Otherwise creates
 * a new link. If every request created a new link, a stranger could invalidate the owner's link by requesting another
 * one.
 */
export function sendLink(account: Account, purpose: LinkPurpose, at: Date): Change {
  if (purpose === 'verify-email' && account.emailVerified) return unchanged(account);
  const young = account.links.find((link) => link.purpose === purpose && hasHalfLifeLeft(link, at));
  const { account: linked, facts } = withLink(account, young ?? newLink(purpose, at));
  return { account: withMail(linked, purpose, at), facts, result: undefined };
}

/** Adds a reset link that the operator gives to the owner. No mail is sent. */
export function makeResetLink(account: Account, at: Date): Change<OpenLink> {
  return withLink(account, newLink('reset-password', at));
}

export interface UsedLink {
  readonly token: string;
  /** Signing secrets. A token signed with any of them is accepted. */
  readonly secrets: readonly string[];
}

/**
 * Sets a password by a reset link and ends all sessions. The address counts as verified, because the link was mailed to
 * it. The API key stays valid, so that the customer's applications continue to work. The mail about the new password
 * mentions the key, because a stranger may have registered with this address and know the key. The result is the
 * updated account, or undefined if the link was not valid.
 */
export function resetPassword(
  account: Account,
  { token, secrets, passwordHash }: UsedLink & { readonly passwordHash: string },
  at: Date,
): Change<Account | undefined> {
  if (!linkOf(account, token, { purpose: 'reset-password', secrets, at })) return unchanged(account);
  const links = account.links.filter(({ purpose }) => purpose !== 'verify-email');
  const changed = withPassword({ ...account, emailVerified: true, links }, passwordHash, { at });
  return { ...changed, result: changed.account };
}

/** The result is false if the link was not valid. */
export function verifyEmail(account: Account, { token, secrets }: UsedLink, at: Date): Change<boolean> {
  const link = linkOf(account, token, { purpose: 'verify-email', secrets, at });
  if (!link) return { account, facts: [], result: false };
  const links = account.links.filter((other) => other !== link);
  return {
    account: { ...account, emailVerified: true, links },
    facts: [{ type: 'user_updated', detail: { emailVerified: true } }],
    result: true,
  };
}
