// Templates of mails, and mails that have become obsolete.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { changePassword, regenerateKey } from '../../src/accounts/changes/credentials.js';
import { resetPassword, sendLink, withLink } from '../../src/accounts/changes/email-links.js';
import { noteThrottled } from '../../src/accounts/changes/status.js';
import { linkOf, linkToken, newLink } from '../../src/accounts/email-link.js';
import { MAIL_KINDS, newMail, type MailKind } from '../../src/accounts/pending-mail.js';
import { createMailWriter, deletionMail, registrationMail } from '../../src/accounts/templates.mail.js';
import { newPublishableKey } from '../../src/accounts/publishable-key.js';
import { accountOfToken } from '../../src/accounts/account-token.js';
import { billingOf, signedInto, someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS, HOUR_MS, MINUTE_MS } from '../support/clock.js';

const SECRET = 'the secret of links';

describe('mail texts', () => {
  const clock = clockAt();
  const write = createMailWriter({ origin: 'https://icons.example', linkSecret: SECRET, now: clock.now });
  const customer = (email?: string): Account =>
    someAccount({ at: clock.date(), ...(email !== undefined && { email }) }).account;
  const changeTo = (newEmail: string) => ({ ...newLink('confirm-email', clock.date()), newEmail });
  const resetToken = ({ id, links }: Account): string =>
    linkToken(
      id,
      links.find(({ purpose }) => purpose === 'reset-password')!,
      SECRET,
    );
  const waiting = (account: Account, kind: MailKind) => account.mails.filter((mail) => mail.kind === kind);

  it('have a link in the URL fragment, once in text and HTML, and nowhere else', () => {
    const account = sendLink(customer(), 'reset-password', clock.date()).account;
    const [mail] = waiting(account, 'reset-password');
    const { text, html, subject, to, id } = write(account, mail!)!;
    const token = resetToken(account);
    expect(linkOf(account, token, { purpose: 'reset-password', secrets: [SECRET], at: clock.date() })).to.not.equal(
      undefined,
    );
    expect([to, id]).to.deep.equal([account.email, mail!.id]);
    expect(text.split(`https://icons.example/reset-password#token=${token}`)).to.have.length(2);
    expect(html.split(`href="https://icons.example/reset-password#token=${token}"`)).to.have.length(2);
    const until = new Date(clock.now() + HOUR_MS / 2).toISOString().slice(0, 16).replace('T', ' ');
    for (const part of [text, html]) {
      expect(part.split(token)).to.have.length(2);
      expect(part).to.include(`The link works once and expires at ${until} UTC.`);
    }
    expect(subject).to.not.include(token);
  });

  it('show an e-mail address as plain text, regardless of its characters', () => {
    const account = customer(`"<img src=x onerror='alert(1)'>&"@example.com`);
    const { html, text } = write(account, account.mails[0]!)!;
    expect(html).to.not.include('<img').and.not.include('&"@');
    expect(html).to.include('&lt;img src=x');
    expect(text).to.include(account.email);
  });

  /** Kinds of mails that are stored with their text. */
  const WRITTEN: readonly MailKind[] = ['quota-alert', 'webhook-disabled', 'webhooks-changed'];
  const content = { subject: 'A quota is used up', lines: ['A line.'], page: { label: 'Open usage', path: '/usage' } };
  const mailOf = (kind: MailKind) => newMail(kind, clock.date(), WRITTEN.includes(kind) ? { content } : {});

  it('exist for every kind, and name the host', () => {
    const { account } = withLink(
      sendLink(customer(), 'reset-password', clock.date()).account,
      changeTo('b@example.com'),
    );
    for (const kind of MAIL_KINDS) {
      const mail = write(account, mailOf(kind));
      expect(mail, kind).to.not.equal(undefined);
      expect(mail!.subject).to.include('icons.example');
      expect(mail!.text).to.include(kind === 'confirm-email' ? 'b@example.com' : account.email);
      expect(mail!.subject).to.not.match(/[\r\n]/);
    }
  });

  it('name the product, have a button if there is something to do, and contain no API paths', () => {
    const { account } = withLink(
      sendLink(customer(), 'reset-password', clock.date()).account,
      changeTo('b@example.com'),
    );
    const plain: MailKind[] = [];
    for (const kind of MAIL_KINDS) {
      const { subject, text, html } = write(account, mailOf(kind))!;
      expect(subject, kind).to.match(/^Blazon: .+ \(icons\.example\)$/);
      for (const part of [text, html]) {
        expect(part, kind).to.include('your Blazon account at icons.example');
        expect(part, kind).to.not.match(/\/(?:auth|v1|dashboard)\b|\b(?:GET|POST|DELETE) \//);
      }
      const buttons = [...html.matchAll(/<a href="https:\/\/icons\.example\/([\w-]+)/g)].map(([, path]) => path);
      if (buttons.length === 0) plain.push(kind);
      else expect(text, kind).to.match(new RegExp(`:\nhttps://icons\\.example/${buttons[0]!}`));
      // Mails support light and dark mode. They load nothing from a server, because this would show the sender that the
      // mail is read.
      expect(html, kind).to.include('<meta name="color-scheme" content="light dark">');
      expect(html, kind)
        .to.include('prefers-color-scheme:dark')
        .and.not.match(/src=|url\(|<link/);
    }
    expect(plain).to.deep.equal(['email-in-use', 'email-changed']);
  });

  it('open the page on which the owner can act', () => {
    const account = customer();
    const pathOf = (kind: MailKind) =>
      / href="https:\/\/icons\.example(\/[\w-]+)"/.exec(write(account, newMail(kind, clock.date()))!.html)?.[1];
    for (const [path, kinds] of [
      ['/keys', ['key-replaced', 'publishable-keys-changed']],
      ['/billing', ['subscription-changed', 'billing-page-opened']],
      ['/forgot-password', ['password-changed', 'password-changed-by-link', 'sign-ins-throttled']],
      ['/sign-in', ['registration-tried']],
      ['/account', ['email-change-requested']],
    ] as const)
      for (const kind of kinds) expect(pathOf(kind), kind).to.equal(path);
  });

  it('state what the account has after the change', () => {
    const account = customer();
    const text = (kind: MailKind, given: Partial<Account>) =>
      write({ ...account, ...given }, newMail(kind, clock.date()))!.text;
    const keys = [1, 2].map((n) =>
      newPublishableKey(account.id, { name: `Key ${n}`, origins: [], dailyLimit: null }, clock.date()),
    );
    for (const [publishableKeys, said] of [
      [[], '0 publishable keys'],
      [keys.slice(1), 'one publishable key'],
      [keys, '2 publishable keys'],
    ] as const)
      expect(text('publishable-keys-changed', { publishableKeys: [...publishableKeys] })).to.include(
        `The account now has ${said}.`,
      );
    const subscription = (billing: Account['billing']) => text('subscription-changed', { billing });
    const none = 'The account has no subscription now.';
    expect(subscription(null)).to.include(none);
    expect(subscription({ ...billingOf('1'), subscription: null })).to.include(none);
    const endsAt = new Date(Date.UTC(2026, 11, 24, 18, 5, 59));
    expect(subscription(billingOf('1', { interval: 'year' }))).to.match(
      /\nCurrent subscription: pro plan, billed every year, status active\.\n/,
    );
    expect(subscription(billingOf('1', { endsAt })).replaceAll(/\s+/g, ' ')).to.include(
      'billed every month, status active, ends at 2026-12-24 18:05 UTC.',
    );
  });

  it('state when it happened, even if they are sent later', () => {
    const at = new Date(clock.now() - DAY_MS);
    const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const account = customer();
    const { text } = write(account, newMail('key-replaced', at))!;
    expect(text).to.include(`(${account.email}). Time: ${time}.`);
    const written = write(account, newMail('quota-alert', at, { content }))!;
    expect(written.text)
      .to.include(`(${account.email}). It happened at ${time}.`)
      .and.include('A line.\n\nOpen usage:\nhttps://icons.example/usage\n')
      .and.not.include('To stop');
    expect(written).to.include({ to: account.email, account: account.id }).and.not.have.property('unsubscribe');
  });

  it('have a link to stop them if another feature has written them so, with a token for this purpose only', () => {
    const account = customer();
    const unsubscribe = { path: '/stop', purpose: 'alerts' };
    const mail = write(account, newMail('quota-alert', clock.date(), { content: { ...content, unsubscribe } }))!;
    const [, token = ''] = /^https:\/\/icons\.example\/stop\?token=(.+)$/.exec(mail.unsubscribe ?? '') ?? [];
    expect(accountOfToken(token, 'alerts', ['newer', SECRET])).to.equal(account.id);
    expect(accountOfToken(token, 'others', [SECRET])).to.equal(undefined);
    expect(accountOfToken(token, 'alerts', ['newer'])).to.equal(undefined);
    expect(accountOfToken(customer().id + token.slice(12), 'alerts', [SECRET])).to.equal(undefined);
    expect(mail.text).to.include(`To stop these mails, open ${mail.unsubscribe!}`);
  });

  it('create the account of a registration, and warn a reader who did not register', () => {
    const expiresAt = new Date(clock.now() + 90 * MINUTE_MS + 1);
    const given = { email: 'ada@example.com', token: 'reg_x', expiresAt };
    const { to, subject, text, html } = registrationMail('https://icons.example', given);
    expect([to, subject]).to.deep.equal([given.email, 'Blazon: Confirm your registration (icons.example)']);
    const until = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
    for (const part of [text, html])
      expect(part)
        .to.include('https://icons.example/confirm-registration#token=reg_x')
        .and.include(`expires at ${until} UTC`)
        .and.include('someone else has chosen')
        .and.include('at icons.example with this e-mail address (ada@example.com)');
    expect(registrationMail('https://icons.example', given).id).to.not.equal(
      registrationMail('https://x.example', given).id,
    );
  });

  it('state who has deleted an account, and when', () => {
    const deleted = { email: 'ada@example.com', at: new Date(Date.UTC(2026, 10, 25, 12, 30)) };
    const mail = deletionMail('https://icons.example', { ...deleted, by: 'customer' });
    expect([mail.to, mail.subject]).to.deep.equal([
      'ada@example.com',
      'Blazon: Your account was deleted (icons.example)',
    ]);
    for (const part of [mail.text, mail.html])
      expect(part).to.include('as requested').and.include('Time: 2026-11-25 12:30 UTC.');
    expect(deletionMail('https://icons.example', { ...deleted, by: 'operator' }).text)
      .to.include('The operator of this service deleted your account.')
      .and.include('are deleted after 400 days')
      .and.not.include('as requested')
      .and.not.include('If this was not you');
    expect(mail.text).to.include('If this was not you');
  });

  it('go to the address that they concern, and links only to the address that they confirm', () => {
    const { account } = withLink(customer(), changeTo('b@example.com'));
    const written = (kind: MailKind, to?: string) => write(account, newMail(kind, clock.date(), { to }))!;
    expect(written('key-replaced').to).to.equal(account.email);
    expect(written('email-changed', 'before@example.com').to).to.equal('before@example.com');
    expect(written('email-changed', 'before@example.com').text).to.include('(before@example.com)');
    expect(written('verify-email', 'before@example.com').to).to.equal(account.email);
    const confirmation = written('confirm-email', 'replaced@example.com');
    expect(confirmation.to).to.equal('b@example.com');
    expect(confirmation.text).to.include('/confirm-email#token=').and.not.include(account.email);
    expect(written('email-change-requested').text).to.include('The new address is b@example.com.');
    expect(written('email-in-use', 'b@example.com').text).to.not.include('#token=').and.not.include(account.email);
  });

  it('name after a reset by link, and only then, the key that still works', () => {
    const { account: before, apiKey } = someAccount({ at: clock.date() });
    const madeAt = clock.date().toISOString().slice(0, 16).replace('T', ' ');
    clock.advance(HOUR_MS);
    const account = sendLink(before, 'reset-password', clock.date()).account;
    const token = resetToken(account);
    const reset = resetPassword(account, { token, secrets: [SECRET], passwordHash: '$argon2id$new' }, clock.date());
    expect(reset.result).to.equal(reset.account).and.to.have.deep.property('key', before.key);
    const [mail] = waiting(reset.account, 'password-changed-by-link');
    const { subject, text, html } = write(reset.account, mail!)!;
    expect(subject).to.equal('Blazon: Password reset (icons.example)');
    for (const part of [text, html]) {
      expect(part)
        .to.include(`ends in ${apiKey.slice(-4)} and was created at ${madeAt} UTC`)
        .and.include('replace it')
        .and.include('all devices');
      expect(part).to.not.include(apiKey);
    }
    const without = write({ ...reset.account, key: null }, mail!)!;
    for (const part of [without.text, without.html])
      expect(part)
        .to.include('all devices')
        .and.not.match(/key|undefined/i);
    const changed = write(before, newMail('password-changed', clock.date()))!;
    for (const part of [changed.text, changed.html]) expect(part).to.not.include('key');
  });

  it('are skipped if their link was used or has expired, or the address is already verified', () => {
    const account = sendLink(customer(), 'reset-password', clock.date()).account;
    const [mail] = waiting(account, 'reset-password');
    const token = resetToken(account);
    const reset = { token, secrets: [SECRET], passwordHash: '$argon2id$new' };
    const used = resetPassword(account, reset, clock.date()).account;
    expect(write(used, mail!)).to.equal(undefined);
    expect(
      write(used, waiting(used, 'verify-email')[0] ?? newMail('verify-email', clock.date())),
      'verified by the reset',
    ).to.equal(undefined);
    const { account: asking, session } = signedInto(account, clock.date());
    const proof = { session: session.id, passwordVersion: 1 };
    const changed = changePassword(asking, { proof, passwordHash: '$argon2id$new' }, clock.date()).account;
    expect(write(changed, mail!)).to.equal(undefined);
    clock.advance(HOUR_MS);
    expect(write(account, mail!)).to.equal(undefined);
  });

  it('wait once per link: a newer link replaces the older mail and keeps other mails', () => {
    let account = noteThrottled(regenerateKey(customer(), undefined, clock.date()).account, clock.date()).account;
    for (let round = 0; round < 3; round++) account = sendLink(account, 'reset-password', clock.date()).account;
    account = sendLink(account, 'verify-email', clock.date()).account;
    expect(account.mails.map(({ kind }) => kind)).to.deep.equal([
      'key-replaced',
      'sign-ins-throttled',
      'reset-password',
      'verify-email',
    ]);
  });
});
