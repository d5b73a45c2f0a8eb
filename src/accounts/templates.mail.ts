// Subjects and texts of mails.
import { randomUUID } from 'node:crypto';
import type { Account } from './account.js';
import { AUDIT_KEPT_DAYS } from './audit-event.js';
import { linkTimeLeft, linkToken, type LinkPurpose, type OpenLink } from './email-link.js';
import { accountToken } from './account-token.js';
import type { MailContent as WrittenContent, MailKind, PendingMail } from './pending-mail.js';
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
  /** Returns further lines of the mail. Called when the mail is written. */
  readonly more?: (account: Account) => readonly string[];
  /** Button with a link that works once. `unrequested`: advice for a reader who did not request the mail. */
  readonly link?: { readonly label: string; readonly purpose: LinkPurpose; readonly unrequested: string };
  /** Button that opens a page of the dashboard. */
  readonly page?: { readonly label: string; readonly path: string };
}

/** Kinds of mails that are stored with their text. */
type WrittenKind = 'quota-alert' | 'webhook-disabled' | 'webhooks-changed';

const KEYS_PAGE = { label: 'Open your keys', path: '/keys' };
const BILLING_PAGE = { label: 'Open billing', path: '/billing' };
const ACCOUNT_PAGE = { label: 'Open your account', path: '/account' };
const RESET_PAGE = { label: 'Reset your password', path: '/forgot-password' };

const NOT_YOU_NEW_LINK = 'If this was not you, request a password reset link and contact the operator of this service.';
const NOT_YOU = 'If this was not you, change your password immediately: someone else knows it.';

const NOT_YOU_KEY = 'If this was not you, change your password and replace your API key immediately.';
const NOT_YOU_SESSION =
  'If this was not you, sign out everywhere and change your password immediately: someone else was signed in to ' +
  'your account.';

const TEXTS: Readonly<Record<Exclude<MailKind, WrittenKind>, Text>> = {
  'verify-email': {
    subject: 'Verify your e-mail address',
    lines: ['Please verify that this e-mail address is yours.'],
    link: {
      label: 'Verify address',
      purpose: 'verify-email',
      unrequested: 'If you did not register, ignore this e-mail.',
    },
  },
  'reset-password': {
    subject: 'Reset your password',
    lines: ['Someone, hopefully you, requested a password reset for this account.'],
    link: {
      label: 'Reset password',
      purpose: 'reset-password',
      unrequested: 'If you did not request it, ignore this e-mail. Your password does not change.',
    },
  },
  'key-replaced': {
    subject: 'API key replaced',
    lines: ['The API key of this account was replaced. The old key no longer works.', NOT_YOU],
    page: KEYS_PAGE,
  },
  'publishable-keys-changed': {
    subject: 'Publishable keys changed',
    lines: ['A publishable key of this account was created, changed or revoked.', NOT_YOU_SESSION],
    more: ({ publishableKeys: { length } }) => [
      `The account now has ${length === 1 ? 'one publishable key' : `${length} publishable keys`}.`,
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
      "Someone opened the payment provider's billing page of this account, where the payment method, the plan " +
        'and the subscription can be changed.',
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
    lines: ['The password of this account was reset with a link, and all devices were signed out.', NOT_YOU_NEW_LINK],
    more: keyThatStays,
    page: RESET_PAGE,
  },
  'sign-ins-throttled': {
    subject: 'Too many failed sign-ins',
    lines: [
      'Someone tried to sign in to this account with a wrong password many times. Further sign-ins are blocked ' +
        'for a while.',
      'Your password is still secret. You can sign in from a browser that you used before, or reset your password.',
    ],
    page: RESET_PAGE,
  },
  'registration-tried': {
    subject: 'You already have an account',
    lines: [
      'Someone, perhaps you, tried to register with your e-mail address. Nothing has changed.',
      'If it was you, sign in, or request a password reset link.',
    ],
    page: { label: 'Sign in', path: '/sign-in' },
  },
  'confirm-email': {
    subject: 'Confirm your new e-mail address',
    lines: ['Someone, hopefully you, requested to use this e-mail address for an account.'],
    link: {
      label: 'Confirm address',
      purpose: 'confirm-email',
      unrequested: 'If you did not request it, ignore this e-mail. Nothing changes.',
    },
  },
  'email-in-use': {
    subject: 'E-mail address in use',
    lines: [
      'Someone, hopefully you, requested to use this e-mail address for another account. This is not possible, ' +
        'because your account already uses it.',
      'If you did not request it, ignore this e-mail. Nothing changes.',
    ],
  },
  'email-change-requested': {
    subject: 'E-mail address change requested',
    lines: [
      'Someone who is signed in and knows your password requested to change the e-mail address of this account. ' +
        'The address changes when the link in the e-mail to the new address is opened.',
      'If this was not you, change your password immediately. This also cancels the change.',
    ],
    more: newAddress,
    page: ACCOUNT_PAGE,
  },
  'email-changed': {
    subject: 'E-mail address changed',
    lines: [
      'The e-mail address of this account was changed. All further e-mails go to the new address.',
      'If this was not you, contact the operator of this service immediately.',
    ],
  },
};

/**
 * Returns the address of the page that uses the token. The token is in the fragment (after `#`), which browsers do not
 * send to servers.
 */
export function linkAddress(origin: string, purpose: LinkPurpose, token: string): string {
  return `${origin}/${purpose}#token=${token}`;
}

/**
 * Returns a function that writes a mail. It returns undefined if the mail's link was used, was replaced by a newer
 * link, or has expired.
 */
export function createMailWriter({
  origin,
  linkSecret,
  now,
}: Options): (account: Account, mail: PendingMail) => Mail | undefined {
  const host = new URL(origin).host;
  return (account, mail) => {
    const { id, kind, at, content } = mail;
    if (content) return writtenMail({ origin, linkSecret }, account, mail, content);
    // Another release of the service has stored this mail. This release has no text for it.
    if (!isTemplate(kind)) return undefined;
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
        notes: [
          `The link works once and expires at ${minuteOf(open.expiresAt)}. ${link.unrequested}`,
          aboutAccount(to, host),
        ],
      });
    }
    return mailOf(origin, { id, to, account: account.id }, subject, {
      lines,
      ...(page && { button: { label: page.label, address: origin + page.path } }),
      notes: [`${aboutAccount(to, host)} Time: ${minuteOf(at)}.`],
    });
  };
}

function isTemplate(kind: MailKind): kind is keyof typeof TEXTS {
  return Object.hasOwn(TEXTS, kind);
}

/** Writes a mail with the text that another feature has stored. */
function writtenMail(
  { origin, linkSecret }: Pick<Options, 'origin' | 'linkSecret'>,
  account: Account,
  { id, at, to = account.email }: PendingMail,
  { subject, lines, page, unsubscribe }: WrittenContent,
): Mail {
  const { host } = new URL(origin);
  const ending =
    unsubscribe && `${origin}${unsubscribe.path}?token=${accountToken(account.id, unsubscribe.purpose, linkSecret)}`;
  const mail = mailOf(origin, { id, to, account: account.id }, subject, {
    lines,
    ...(page && { button: { label: page.label, address: origin + page.path } }),
    notes: [
      `${aboutAccount(to, host)} It happened at ${minuteOf(at)}.`,
      ...(ending === undefined ? [] : [`To stop these mails, open ${ending}`]),
    ],
  });
  return { ...mail, ...(ending !== undefined && { unsubscribe: ending }) };
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

/** Returns the mail for a registration. The address has no account yet, so the mail is not stored. */
export function registrationMail(origin: string, { email, token, expiresAt }: RegistrationLink): Mail {
  return mailOf(origin, { id: randomUUID(), to: email }, 'Confirm your registration', {
    lines: [
      `Someone, hopefully you, requested to register for Blazon at ${new URL(origin).host} with this e-mail ` +
        `address (${email}).`,
    ],
    button: { address: `${origin}/confirm-registration#token=${token}`, label: 'Create account' },
    notes: [
      `The link creates the account and expires at ${minuteOf(expiresAt)}. If you did not register, ignore this ` +
        'e-mail. Otherwise you create an account with a password that someone else has chosen.',
    ],
  });
}

interface DeletedAccount {
  readonly email: string;
  readonly at: Date;
  readonly by: 'customer' | 'operator';
}

/** Returns a mail to the former owner of a deleted account. The mail is not stored, because the account is gone. */
export function deletionMail(origin: string, { email, at, by }: DeletedAccount): Mail {
  const { host } = new URL(origin);
  return mailOf(origin, { id: randomUUID(), to: email }, 'Your account was deleted', {
    lines: [
      by === 'operator'
        ? 'The operator of this service deleted your account.'
        : 'Your account was deleted, as requested.',
      'Its keys and sessions no longer work, and its subscription, if any, has ended. Its data is deleted. ' +
        `Records of security events, such as sign-ins, are deleted after ${AUDIT_KEPT_DAYS} days.`,
      ...(by === 'operator' ? [] : ['If this was not you, contact the operator of this service.']),
    ],
    notes: [`${aboutAccount(email, host)} Time: ${minuteOf(at)}.`],
  });
}

/**
 * Returns a warning that the API key stays valid after a password reset. The warning is necessary, because a
 * stranger who registered with the owner's address would know the key.
 */
function keyThatStays({ key }: Account): readonly string[] {
  if (!key) return [];
  return [
    `Your API key still works. It ends in ${key.hint} and was created at ${minuteOf(key.createdAt)}. If you do ` +
      'not recognize it, sign in and replace it on the “Keys” page.',
  ];
}

function subscriptionNow({ billing }: Account): readonly string[] {
  if (!billing?.subscription) return ['The account has no subscription now.'];
  const { plan, interval, status, endsAt } = billing.subscription;
  const end = endsAt ? `, ends at ${minuteOf(endsAt)}` : '';
  return [`Current subscription: ${plan} plan, billed every ${interval}, status ${status}${end}.`];
}

/**
 * Returns the recipient. A mail with a link ignores the stored recipient: it goes to the new address that the link
 * confirms, or else to the account's address.
 */
function recipientOf({ email }: Account, { to }: PendingMail, link: OpenLink | undefined): string {
  return (link ? link.newEmail : to) ?? email;
}

/**
 * Returns a line with the new address of a pending change. Returns no line if the change was canceled or completed
 * before the mail was sent.
 */
function newAddress({ links }: Account): readonly string[] {
  return links.flatMap(({ newEmail }) => (newEmail === undefined ? [] : [`The new address is ${newEmail}.`]));
}

/** Returns the time to the minute, for example `2026-11-21 16:48 UTC`. */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
