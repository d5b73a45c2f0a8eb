// Subjects and texts of mails.
import { randomUUID } from 'node:crypto';
import type { Account } from './account.js';
import { AUDIT_KEPT_DAYS } from './audit-event.js';
import { linkTimeLeft, linkToken, type LinkPurpose, type OpenLink } from './email-link.js';
import type { MailKind, PendingMail } from './pending-mail.js';
import type { Mail } from '../platform/mail/mailer.js';
import { mailBodies, type MailContent } from '../platform/mail/layout.js';

interface Options {
  /** PUBLIC_URL without a trailing slash. */
  readonly origin: string;
  readonly linkSecret: string;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

interface Text {
  readonly subject: string;
  readonly lines: readonly string[];
  /** Lines that depend on the account at the time of writing. */
  readonly more?: (account: Account) => readonly string[];
  /** Button with a link that works once, and the line for a reader who did not request the mail. */
  readonly link?: { readonly label: string; readonly purpose: LinkPurpose; readonly unrequested: string };
  /** Button that opens a page of the dashboard. */
  readonly page?: { readonly label: string; readonly path: string };
}

const KEYS_PAGE = { label: 'Open your keys', path: '/keys' };
const BILLING_PAGE = { label: 'Open billing', path: '/billing' };
const ACCOUNT_PAGE = { label: 'Open your account', path: '/account' };
const RESET_PAGE = { label: 'Reset your password', path: '/forgot-password' };

const NOT_YOU_NEW_LINK =
  'If this was not you, request a link to reset your password, and tell the operator of this service.';
const NOT_YOU = 'If this was not you, change your password at once: whoever did it knows yours.';

const NOT_YOU_KEY = 'If this was not you, change your password and replace your API key at once.';
const NOT_YOU_SESSION =
  'If this was not you, sign out everywhere and change your password at once: whoever did it was signed in.';

const TEXTS: Readonly<Record<MailKind, Text>> = {
  'verify-email': {
    subject: 'Verify your e-mail address',
    lines: ['Please verify that this e-mail address is yours.'],
    link: {
      label: 'Verify address',
      purpose: 'verify-email',
      unrequested: 'If you did not register, ignore this mail.',
    },
  },
  'reset-password': {
    subject: 'Reset your password',
    lines: ['Someone, hopefully you, requested a password reset for this account.'],
    link: {
      label: 'Reset password',
      purpose: 'reset-password',
      unrequested: 'If you did not request it, ignore this mail: your password stays as it is.',
    },
  },
  'key-replaced': {
    subject: 'API key replaced',
    lines: ['The API key of this account was replaced. The old key no longer works.', NOT_YOU],
    page: KEYS_PAGE,
  },
  'publishable-keys-changed': {
    subject: 'Publishable keys changed',
    lines: ['A publishable key of this account was made, changed or revoked.', NOT_YOU_SESSION],
    more: ({ publishableKeys: { length } }) => [
      `The account has ${length === 1 ? 'one publishable key' : `${length} publishable keys`} now.`,
    ],
    page: KEYS_PAGE,
  },
  'subscription-changed': {
    subject: 'Subscription changed',
    lines: ['The subscription of this account was changed.', NOT_YOU_KEY],
    more: subscriptionNow,
    page: BILLING_PAGE,
  },
  'billing-page-opened': {
    subject: 'Billing page opened',
    lines: [
      'The page of the payment provider where payment method, plan and subscription of this account are changed was ' +
        'opened.',
      NOT_YOU_KEY,
    ],
    page: BILLING_PAGE,
  },
  'password-changed': {
    subject: 'Password changed',
    lines: ['The password of this account was changed, and all other devices were signed out.', NOT_YOU_NEW_LINK],
    page: RESET_PAGE,
  },
  'password-changed-by-link': {
    subject: 'Password reset',
    lines: ['The password of this account was reset by a link, and all devices were signed out.', NOT_YOU_NEW_LINK],
    more: keyThatStays,
    page: RESET_PAGE,
  },
  'sign-ins-throttled': {
    subject: 'Too many failed sign-ins',
    lines: [
      'There were many sign-ins with a wrong password for this account, so further ones are blocked for a while.',
      'Your password was not guessed. You can still sign in from a browser that you used before, or reset your ' +
        'password.',
    ],
    page: RESET_PAGE,
  },
  'registration-tried': {
    subject: 'You have an account already',
    lines: [
      'Someone, perhaps you, tried to register with your e-mail address. Nothing was changed.',
      'If it was you, sign in, or request a link to reset your password.',
    ],
    page: { label: 'Sign in', path: '/sign-in' },
  },
  'confirm-email': {
    subject: 'Confirm your new e-mail address',
    lines: ['Someone, hopefully you, asked to make this the e-mail address of an account.'],
    link: {
      label: 'Confirm address',
      purpose: 'confirm-email',
      unrequested: 'If you did not request it, ignore this mail: nothing changes.',
    },
  },
  'email-in-use': {
    subject: 'E-mail address in use',
    lines: [
      'Someone, hopefully you, asked to make this the e-mail address of another account. That is not possible: this ' +
        'account has it.',
      'If you did not request it, ignore this mail: nothing changes.',
    ],
  },
  'email-change-requested': {
    subject: 'Change of e-mail address requested',
    lines: [
      'Someone who is signed in and knows your password asked to change the e-mail address of this account. It changes ' +
        'when the link in a mail to the new address is confirmed.',
      'If this was not you, change your password at once: that also cancels the change.',
    ],
    more: newAddress,
    page: ACCOUNT_PAGE,
  },
  'email-changed': {
    subject: 'E-mail address changed',
    lines: [
      'This account has another e-mail address now, to which all further mails are sent.',
      'If this was not you, tell the operator of this service at once.',
    ],
  },
};

/**
 * Returns the address of a page that reads the token from the part after `#`. Browsers do not send that part to a
 * server.
 */
export function linkAddress(origin: string, purpose: LinkPurpose, token: string): string {
  return `${origin}/${purpose}#token=${token}`;
}

/**
 * Creates a function that writes mails. It returns undefined if the mail's link was used, replaced by a newer one, or
 * has expired.
 */
export function createMailWriter({
  origin,
  linkSecret,
  now,
}: Options): (account: Account, mail: PendingMail) => Mail | undefined {
  const host = new URL(origin).host;
  return (account, mail) => {
    const { id, kind, at } = mail;
    const { subject, lines: always, more, link, page } = TEXTS[kind];
    const open =
      link && account.links.find((one) => one.purpose === link.purpose && linkTimeLeft(one, new Date(now())) > 0);
    if (link && !open) return undefined;
    const to = recipientOf(account, mail, open);
    const lines = [...always, ...(more?.(account) ?? [])];
    if (link && open) {
      const token = linkToken(account.id, open, linkSecret);
      return mailOf(origin, { id, to, account: account.id }, subject, {
        lines,
        button: { label: link.label, address: linkAddress(origin, open.purpose, token) },
        notes: [`The link works once, until ${minuteOf(open.expiresAt)}. ${link.unrequested}`, aboutAccount(to, host)],
      });
    }
    return mailOf(origin, { id, to, account: account.id }, subject, {
      lines,
      ...(page && { button: { label: page.label, address: origin + page.path } }),
      notes: [`${aboutAccount(to, host)} It happened at ${minuteOf(at)}.`],
    });
  };
}

function mailOf(
  origin: string,
  head: Pick<Mail, 'id' | 'to' | 'account'>,
  title: string,
  content: Omit<MailContent, 'title'>,
): Mail {
  const { host } = new URL(origin);
  return { ...head, subject: `Blazon: ${title} (${host})`, ...mailBodies({ title, ...content }, origin) };
}

function aboutAccount(email: string, host: string): string {
  return `This is about your Blazon account at ${host} (${email}).`;
}

interface RegistrationLink {
  readonly email: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Returns the mail to an address without an account. Nothing about it is stored. */
export function registrationMail(origin: string, { email, token, expiresAt }: RegistrationLink): Mail {
  return mailOf(origin, { id: randomUUID(), to: email }, 'Confirm your registration', {
    lines: [
      `Someone, hopefully you, wants to register for Blazon at ${new URL(origin).host} with this e-mail address (${email}).`,
    ],
    button: { address: `${origin}/confirm-registration#token=${token}`, label: 'Create account' },
    notes: [
      `The link creates the account, until ${minuteOf(expiresAt)}. If you did not register, ignore this mail: the ` +
        'account would have the password that somebody else has chosen.',
    ],
  });
}

interface DeletedAccount {
  readonly email: string;
  readonly at: Date;
  readonly by: 'customer' | 'operator';
}

/** Returns the mail to an address of a deleted account. Nothing about it is stored. */
export function deletionMail(origin: string, { email, at, by }: DeletedAccount): Mail {
  const { host } = new URL(origin);
  return mailOf(origin, { id: randomUUID(), to: email }, 'Your account is deleted', {
    lines: [
      by === 'operator'
        ? 'The operator of the service has deleted your account.'
        : 'Your account was deleted, as you asked.',
      'Its keys and sessions have stopped working, and its subscription, if it had one, has ended. Its data is removed; ' +
        `records of security events, such as sign-ins, follow after ${AUDIT_KEPT_DAYS} days.`,
      ...(by === 'operator' ? [] : ['If this was not you, tell the operator of the service.']),
    ],
    notes: [`${aboutAccount(email, host)} It happened at ${minuteOf(at)}.`],
  });
}

/**
 * Returns a warning about the key. If somebody registered with another person's address, their key survives the owner's
 * reset.
 */
function keyThatStays({ key }: Account): readonly string[] {
  if (!key) return [];
  return [
    `Your API key still works: it ends in ${key.hint} and was created at ${minuteOf(key.createdAt)}. ` +
      'If you do not recognize it, sign in and replace it on the page of your keys.',
  ];
}

function subscriptionNow({ billing }: Account): readonly string[] {
  if (!billing?.subscription) return ['There is no subscription now.'];
  const { plan, interval, status, endsAt } = billing.subscription;
  const end = endsAt ? `, ends at ${minuteOf(endsAt)}` : '';
  return [`It is now: plan ${plan}, billed by the ${interval}, status ${status}${end}.`];
}

/**
 * Returns the recipient. A link is only ever sent to its own address, regardless of the address stored with the mail.
 */
function recipientOf({ email }: Account, { to }: PendingMail, link: OpenLink | undefined): string {
  return (link ? link.newEmail : to) ?? email;
}

/**
 * Returns a line with the new address of the pending change, or nothing if the change was canceled or completed before
 * the mail was sent.
 */
function newAddress({ links }: Account): readonly string[] {
  return links.flatMap(({ newEmail }) => (newEmail === undefined ? [] : [`The new address is ${newEmail}.`]));
}

/** Returns the minute, for example `2026-11-21 16:48 UTC`. */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
