// Templates of mails, and mails that have become obsolete.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { changePassword, regenerateKey } from '../../src/accounts/changes/credentials.js';
import { resetPassword, sendLink, withLink } from '../../src/accounts/changes/email-links.js';
import { noteThrottled } from '../../src/accounts/changes/status.js';
import { linkOf, linkToken, newLink } from '../../src/accounts/email-link.js';
import { MAIL_KINDS, newMail, type MailKind } from '../../src/accounts/pending-mail.js';
import { createMailWriter, deletionMail } from '../../src/accounts/templates.mail.js';
import { signedInto, someAccount } from '../support/accounts.js';
import { clockAt, HOUR_MS } from '../support/clock.js';

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
      .and.not.include('as requested');
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
