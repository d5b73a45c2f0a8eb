// Notices to the owner of an account.
import { expect } from 'chai';
import type { Account } from '../../../src/accounts/account.js';
import { regenerateKey, withPassword } from '../../../src/accounts/changes/credentials.js';
import { settleMail } from '../../../src/accounts/changes/mails.js';
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

  it('of throttled sign-ins are sent at most once an hour, and at once after the operator lifted the throttling', () => {
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

  it('of events within ten minutes are sent as one', () => {
    replaceKey();
    clock.advance(MINUTE_MS);
    for (let count = 0; count < 3; count++) replaceKey();
    expect(account.mails.map(({ dueAt }) => dueAt.getTime() - account.mails[0]!.at.getTime())).to.deep.equal([
      0,
      10 * MINUTE_MS,
    ]);
  });

  it('of one kind do not displace other mails while sending fails', () => {
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

  it('that could not be sent yet do not suppress later ones', () => {
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
});
