// Changes of an account by e-mail links.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { withPassword } from './credentials.js';
import { withMail } from './mails.js';
import { hasHalfLifeLeft, linkOf, newLink, type LinkPurpose, type OpenLink } from '../email-link.js';

/** Replaces an older link of the same purpose, and its mail if that is still pending. */
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
 * Adds the mail. A link with half its lifetime left is sent again, and only an older one replaced: requests in another
 * person's name must not invalidate the links that the owner has.
 */
export function sendLink(account: Account, purpose: LinkPurpose, at: Date): Change {
  if (purpose === 'verify-email' && account.emailVerified) return unchanged(account);
  const young = account.links.find((link) => link.purpose === purpose && hasHalfLifeLeft(link, at));
  const { account: linked, facts } = withLink(account, young ?? newLink(purpose, at));
  return { account: withMail(linked, purpose, at), facts, result: undefined };
}

/** A reset link for the operator to hand over; no mail is sent. */
export function makeResetLink(account: Account, at: Date): Change<OpenLink> {
  return withLink(account, newLink('reset-password', at));
}

export interface UsedLink {
  readonly token: string;
  /** Any of these may have signed it. */
  readonly secrets: readonly string[];
}

/**
 * Ends all sessions. A reader of the mail owns the address, so it is verified too. The API key stays valid, or an
 * honest customer's production would stop; but another person may have registered with this address and know the key,
 * so the owner is notified. The result: the account as it is then; undefined when the link was not valid.
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

/** The result: whether the link was valid. */
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
