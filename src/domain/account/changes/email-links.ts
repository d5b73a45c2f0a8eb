// Changes to an account by the links that are mailed to its owner.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { withPassword } from './credentials.js';
import { withMail } from './mails.js';
import { hasHalfLifeLeft, linkOf, newLink, type LinkPurpose, type OpenLink } from '../email-link.js';

/** In the place of an older one of the same purpose, and of the mail with it, should that still be waiting. */
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
 * The mail is on its way. A link that is good for half its time yet is sent again, a new one takes the place of an
 * older one: whoever asks for links in somebody else's name must not void those that the owner has.
 */
export function sendLink(account: Account, purpose: LinkPurpose, at: Date): Change {
  if (purpose === 'verify-email' && account.emailVerified) return unchanged(account);
  const young = account.links.find((link) => link.purpose === purpose && hasHalfLifeLeft(link, at));
  const { account: linked, facts } = withLink(account, young ?? newLink(purpose, at));
  return { account: withMail(linked, purpose, at), facts, result: undefined };
}

/** A link to set another password, for the operator to hand over: no mail has it. */
export function makeResetLink(account: Account, at: Date): Change<OpenLink> {
  return withLink(account, newLink('reset-password', at));
}

export interface UsedLink {
  readonly token: string;
  /** Any of these may have made it. */
  readonly secrets: readonly string[];
}

/**
 * Ends all sessions. Who can read the mail owns the address, so it is verified too. The key goes on: an honest
 * customer's production would stop. But somebody else may have registered with this address and know it, so the owner
 * is told. The result: the account as it is then; undefined when the link was not good.
 */
export function resetPassword(
  account: Account,
  { token, secrets, passwordHash }: UsedLink & { readonly passwordHash: string },
  at: Date,
): Change<Account | undefined> {
  if (!linkOf(account, token, { purpose: 'reset-password', secrets, at }))
    return { account, facts: [], result: undefined };
  const links = account.links.filter(({ purpose }) => purpose !== 'verify-email');
  const changed = withPassword({ ...account, emailVerified: true, links }, passwordHash, { at });
  return { ...changed, result: changed.account };
}

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
