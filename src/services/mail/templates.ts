// What the mails say.
import type { Account } from '../../domain/account/account.js';
import { linkTimeLeft, linkToken, type LinkPurpose } from '../../domain/account/email-link.js';
import type { MailKind, PendingMail } from '../../domain/account/pending-mail.js';
import type { Mail } from '../../ports/mailer.js';

interface Options {
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  readonly linkSecret: string;
  /** ms since the epoch */
  readonly now: () => number;
}

interface Text {
  readonly subject: string;
  readonly lines: readonly string[];
  /** Those that depend on the account as it is when the mail is written. */
  readonly more?: (account: Account) => readonly string[];
  /** Where a click leads. */
  readonly link?: { readonly label: string; readonly purpose: LinkPurpose; readonly unasked: string };
}

const NOT_YOU_NEW_LINK =
  'If this was not you, ask for a link to set another password, and tell the operator of this service.';
const NOT_YOU = 'If this was not you, set another password at once: whoever did it knows yours.';

const TEXTS: Readonly<Record<MailKind, Text>> = {
  'verify-email': {
    subject: 'Is this your e-mail address?',
    lines: ['Please confirm that this address is yours.'],
    link: { label: 'Confirm the address', purpose: 'verify-email', unasked: 'If you have not registered, do nothing.' },
  },
  'reset-password': {
    subject: 'Set another password',
    lines: ['Somebody, hopefully you, asked to set another password for this account.'],
    link: {
      label: 'Set another password',
      purpose: 'reset-password',
      unasked: 'If you have not asked for it, do nothing: your password stays as it is.',
    },
  },
  'key-replaced': {
    subject: 'Your API key was replaced',
    lines: ['The API key of this account was replaced. The old one has stopped working.', NOT_YOU],
  },
  'password-changed': {
    subject: 'Your password was changed',
    lines: ['The password of this account was changed, and other devices were signed out.', NOT_YOU_NEW_LINK],
  },
  'password-changed-by-link': {
    subject: 'Your password was changed',
    lines: ['The password of this account was changed with a link, and all devices were signed out.', NOT_YOU_NEW_LINK],
    more: keyThatGoesOn,
  },
  'sign-ins-throttled': {
    subject: 'Many wrong passwords for your account',
    lines: [
      'Somebody gave many wrong passwords for this account, so that further sign-ins are refused for a while.',
      'Your password was not guessed. A browser in which you signed in before still lets you in, and so does a link to set another password.',
    ],
  },
};

/** The links of mails lead to pages that take the token from the part after `#`, which no server ever sees. */
export function linkAddress(origin: string, purpose: LinkPurpose, token: string): string {
  return `${origin}/${purpose}#token=${token}`;
}

/** Undefined when the mail's link was used already or replaced by a newer one, or is too old. */
export function createMailWriter({
  origin,
  linkSecret,
  now,
}: Options): (account: Account, mail: PendingMail) => Mail | undefined {
  const host = new URL(origin).host;
  return (account, { id, kind, at }) => {
    const { subject, lines: always, more, link } = TEXTS[kind];
    const open =
      link && account.links.find((one) => one.purpose === link.purpose && linkTimeLeft(one, new Date(now())) > 0);
    if (link && !open) return undefined;
    const token = open && linkToken(account.id, open, linkSecret);
    const address = open && token !== undefined ? linkAddress(origin, open.purpose, token) : undefined;
    const terms = open ? [`The link works once, until ${minuteOf(open.expiresAt)}. ${link.unasked}`] : [];
    const lines = [...always, ...terms, ...(more?.(account) ?? [])];
    const happened = link ? '' : ` It happened at ${minuteOf(at)}.`;
    const greeting = `This is about your account at ${host} (${account.email}).${happened}`;
    const text = [greeting, ...lines, ...(address === undefined ? [] : [address])].join('\n\n');
    const button =
      address === undefined || !link ? '' : `<p><a href="${escaped(address)}">${escaped(link.label)}</a></p>`;
    const html = `<!doctype html><html lang="en"><body>${[greeting, ...lines].map((line) => `<p>${escaped(line)}</p>`).join('')}${button}</body></html>`;
    return { id, to: account.email, subject: `${subject} (${host})`, text: `${text}\n`, html };
  };
}

/** Whoever registered with somebody else's address may know a key that outlasts the owner's reset. */
function keyThatGoesOn({ key }: Account): readonly string[] {
  if (!key) return [];
  return [
    `The API key of this account goes on working: it ends in ${key.hint} and was made at ${minuteOf(key.createdAt)}. ` +
      'If you do not know this key, somebody else may: sign in and replace it (POST /auth/regenerate-key).',
  ];
}

/** `2026-11-21 16:48 UTC` */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
