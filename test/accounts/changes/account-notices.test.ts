// Notices to the owner of an account.
import { expect } from 'chai';
import type { Account } from '../../../src/accounts/account.js';
import { regenerateKey, withPassword } from '../../../src/accounts/changes/credentials.js';
import { settleMail, withMail, withNotice } from '../../../src/accounts/changes/mails.js';
import { noteThrottled, unlock } from '../../../src/accounts/changes/status.js';
import { someAccount } from '../../support/accounts.js';
import { clockAt, HOUR_MS, MINUTE_MS, type Clock } from '../../support/clock.js';

describe('notices', () => {
  let clock: Clock;
  let account: Account;
  beforeEach(() => {
    clock = clockAt();
    account = { ...someAccount({ at: clock.date() }).account, mails: [] };
  });

  const replaceKey = () => void (account = regenerateKey(account, undefined, clock.date()).account);
  const throttled = () => void (account = noteThrottled(account, clock.date()).account);
  const told = () => account.mails.map(({ at }) => at.getTime());

  it('are sent at most once an hour for throttled sign-ins, and immediately after the operator unlocked the account', () => {
    const times = [clock.now()];
    throttled();
    clock.advance(HOUR_MS - 1000);
    throttled();
    expect(told()).to.deep.equal(times);
    clock.advance(1000);
    throttled();
    expect(told()).to.deep.equal([...times, clock.now()]);
    clock.advance(15 * MINUTE_MS);
    account = unlock(account).account;
    throttled();
    expect(told()).to.have.length(3);
  });

  it('are sent as one for events within ten minutes', () => {
    replaceKey();
    clock.advance(MINUTE_MS);
    for (let count = 0; count < 3; count++) replaceKey();
    expect(account.mails.map(({ dueAt }) => dueAt.getTime() - account.mails[0]!.at.getTime())).to.deep.equal([
      0,
      10 * MINUTE_MS,
    ]);
  });

  it('do not displace other mails when many of one kind cannot be sent', () => {
    account = withPassword(account, '$argon2id$new', { at: clock.date() }).account;
    for (let hour = 0; hour < 40; hour++) {
      throttled();
      for (const { id, dueAt } of account.mails) {
        if (dueAt <= clock.date()) account = settleMail(account, id, { sent: false, at: clock.date() }).account;
      }
      clock.advance(HOUR_MS);
    }
    expect(account.mails.map(({ kind }) => kind)).to.deep.equal([
      'password-changed-by-link',
      'sign-ins-throttled',
      'sign-ins-throttled',
    ]);
    expect(account.mails[2]?.at).to.deep.equal(new Date(clock.now() - HOUR_MS));
  });

  it('do not suppress later ones while they are unsent', () => {
    replaceKey();
    const [first] = account.mails;
    while (clock.now() - first!.at.getTime() < 47 * HOUR_MS) {
      account = settleMail(account, first!.id, { sent: false, at: clock.date() }).account;
      clock.advance(HOUR_MS);
    }
    expect(account.mails).to.have.length(1);
    account = settleMail(account, first!.id, { sent: false, at: clock.date() }).account;
    replaceKey();
    expect(told()).to.deep.equal([first!.at.getTime(), clock.now()]);
  });

  it('are due when one of the same kind could be sent again', () => {
    const at = clock.date();
    const later = (ms: number) => new Date(at.getTime() + ms);
    const dueAfter = (noticedAt: Account['noticedAt']) => {
      const next = withNotice({ ...account, noticedAt }, 'key-replaced', at);
      return [next.mails[0]?.dueAt, next.noticedAt['key-replaced']];
    };
    for (const [last, due] of [
      [undefined, at],
      [later(-10 * MINUTE_MS), at],
      [later(1 - 10 * MINUTE_MS), later(1)],
      [at, later(10 * MINUTE_MS)],
      [later(10 * MINUTE_MS), later(20 * MINUTE_MS)],
      [later(10 * MINUTE_MS + 1), at],
    ] as const)
      expect(dueAfter(last ? { 'key-replaced': last } : {}), last?.toISOString()).to.deep.equal([due, due]);
    expect(dueAfter({ 'password-changed': at })).to.deep.equal([at, at]);
    const kept = withNotice({ ...account, noticedAt: { 'password-changed': at } }, 'key-replaced', at).noticedAt;
    expect(kept).to.deep.equal({ 'password-changed': at, 'key-replaced': at });
  });

  it('are merged with a waiting notice of the same kind, and with no other mail', () => {
    const at = clock.date();
    const [soon, now] = [new Date(at.getTime() + 1), at];
    const added = (facts: Partial<Account['mails'][number]>) => {
      const [mail] = withNotice(account, 'key-replaced', at).mails;
      const waiting = { ...account, mails: [{ ...mail!, dueAt: soon, ...facts }] };
      return withNotice(waiting, 'key-replaced', at).mails.length - 1;
    };
    expect(added({})).to.equal(0);
    expect(added({ dueAt: now }), 'being sent').to.equal(1);
    expect(added({ tries: 1 }), 'that could not be sent').to.equal(1);
    expect(added({ to: 'old@example.com' }), 'to another address').to.equal(1);
    expect(added({ kind: 'password-changed' }), 'of another kind').to.equal(1);
  });

  it('share the limit of twenty mails, and the oldest are dropped', () => {
    const at = clock.date();
    let full = account;
    for (let count = 0; count < 25; count++) full = withMail(full, 'email-changed', at, `${count}@example.com`);
    expect(full.mails.map(({ to }) => to)).to.deep.equal(
      Array.from({ length: 20 }, (_, at) => `${at + 5}@example.com`),
    );
    const noticed = withNotice(full, 'key-replaced', at).mails;
    expect([noticed.length, noticed[0]?.to, noticed.at(-1)?.kind]).to.deep.equal([20, '6@example.com', 'key-replaced']);
  });

  it('are removed individually once they are sent', () => {
    const at = clock.date();
    const two = withMail(withMail(account, 'email-changed', at, 'a@example.com'), 'email-changed', at, 'b@example.com');
    const [first, second] = two.mails;
    expect(settleMail(two, first!.id, { sent: true, at }).account.mails).to.deep.equal([second]);
    const again = settleMail(two, first!.id, { sent: false, at }).account.mails;
    expect(again).to.deep.equal([{ ...first, tries: 1, dueAt: new Date(at.getTime() + MINUTE_MS) }, second]);
    expect(settleMail(two, 'no such mail', { sent: true, at }).account).to.equal(two);
    const tooLate = new Date(at.getTime() + 48 * HOUR_MS);
    expect(settleMail(two, first!.id, { sent: false, at: tooLate }).account.mails).to.deep.equal([second]);
  });
});
