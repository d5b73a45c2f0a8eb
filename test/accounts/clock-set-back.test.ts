// Accounts whose times are in the future, because the clock was ahead and was then corrected. Future times must not
// delay anything or extend a lifetime.
import { expect } from 'chai';
import { sendLink } from '../../src/accounts/changes/email-links.js';
import { settleMail, withNotice } from '../../src/accounts/changes/mails.js';
import { removeExpired, useSession } from '../../src/accounts/changes/sessions.js';
import { noteThrottled } from '../../src/accounts/changes/status.js';
import type { Account } from '../../src/accounts/account.js';
import { linkOf, linkToken } from '../../src/accounts/email-link.js';
import { isDue } from '../../src/accounts/pending-mail.js';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS, sessionEnd } from '../../src/accounts/session.js';
import { createMailWriter } from '../../src/accounts/templates.mail.js';
import { signedInto, someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from '../support/clock.js';

const YEAR_MS = 365 * DAY_MS;

describe('an account whose times are ahead of the clock', () => {
  let clock: Clock;
  let account: Account;
  /** Applies the change while the clock is a year ahead. Then sets the clock to the right time. */
  function madeAhead(change: (account: Account, at: Date) => Account): Account {
    clock.advance(YEAR_MS);
    const changed = change(account, clock.date());
    clock.advance(-YEAR_MS);
    return changed;
  }
  beforeEach(() => {
    clock = clockAt();
    account = { ...someAccount({ at: clock.date() }).account, mails: [], links: [] };
  });

  it('notifies of throttled sign-ins even if the last notice has a future date', () => {
    const ahead = madeAhead((was, at) => ({ ...noteThrottled(was, at).account, mails: [] }));
    expect(noteThrottled(ahead, clock.date()).facts.map(({ type }) => type)).to.deep.equal(['authn_login_fail_max']);
  });

  it('sends its notices now', () => {
    const ahead = madeAhead((was, at) => withNotice(was, 'key-replaced', at));
    const told = withNotice({ ...ahead, mails: [] }, 'key-replaced', clock.date());
    expect(told.mails.map(({ dueAt }) => dueAt)).to.deep.equal([clock.date()]);
    const twice = madeAhead((was, at) => withNotice(withNotice(was, 'key-replaced', at), 'key-replaced', at));
    expect(
      twice.mails.every((mail) => isDue(mail, clock.date())),
      'those that wait',
    ).to.equal(true);
    expect(withNotice(twice, 'key-replaced', clock.date()).mails, 'and one about what happens now').to.have.length(3);
  });

  it('drops a mail two days after it could first be sent, and retries at least hourly', () => {
    let owing = madeAhead((was, at) => withNotice(was, 'key-replaced', at));
    let tries = 0;
    const began = clock.now();
    for (let mail = owing.mails[0]; mail; mail = owing.mails[0]) {
      while (!isDue(mail, clock.date())) clock.advance(MINUTE_MS);
      owing = settleMail(owing, mail.id, { sent: false, at: clock.date() }).account;
      tries++;
    }
    expect(tries).to.be.within(40, 60);
    expect(clock.now() - began).to.be.within(48 * HOUR_MS, 50 * HOUR_MS);
  });

  it('rejects links dated too far ahead, and creates new ones', () => {
    const ahead = madeAhead((was, at) => sendLink(was, 'reset-password', at).account);
    const [old] = ahead.links;
    const at = clock.date();
    const tokenOf = (of: Account): string => linkToken(of.id, of.links[0]!, 'secret');
    expect(linkOf(ahead, tokenOf(ahead), { purpose: 'reset-password', secrets: ['secret'], at })).to.equal(undefined);
    const write = createMailWriter({ origin: 'https://icons.example', linkSecret: 'secret', now: clock.now });
    expect(write(ahead, ahead.mails[0]!), 'no mail offers it').to.equal(undefined);
    const again = sendLink(ahead, 'reset-password', at).account;
    expect(again.links.map(({ nonce }) => nonce))
      .to.have.length(1)
      .and.not.include(old?.nonce);
    expect(linkOf(again, tokenOf(again), { purpose: 'reset-password', secrets: ['secret'], at })).to.equal(
      again.links[0],
    );
    expect(removeExpired(ahead, at).account.links).to.deep.equal([]);
  });

  it('accepts a link after the clock was corrected by seconds', () => {
    const at = clock.date();
    clock.advance(30_000);
    const ahead = sendLink(account, 'reset-password', clock.date()).account;
    expect(
      linkOf(ahead, linkToken(ahead.id, ahead.links[0]!, 'secret'), {
        purpose: 'reset-password',
        secrets: ['secret'],
        at,
      }),
    ).to.equal(ahead.links[0]);
  });

  it('stays signed in, with timeouts counted from now', () => {
    const ahead = madeAhead((was, at) => signedInto(was, at).account);
    const at = clock.date();
    const [session] = ahead.sessions;
    for (const [how, changed] of [
      ['used', useSession(ahead, session!.id, at)],
      ['tidied', removeExpired(ahead, at)],
    ] as const) {
      const [now] = changed.account.sessions;
      expect(now && sessionEnd(now), how).to.deep.equal(new Date(at.getTime() + SESSION_IDLE_MS));
      expect(now?.createdAt.getTime(), how).to.equal(at.getTime());
      expect(removeExpired(changed.account, at).account, 'once').to.equal(changed.account);
    }
    expect(SESSION_ABSOLUTE_MS).to.be.below(YEAR_MS);
  });

  it('stays signed in from before, with the last use counted from now', () => {
    const { account: before } = signedInto(account, clock.date());
    const began = clock.date();
    clock.advance(DAY_MS);
    const ahead = new Date(clock.now() + SESSION_IDLE_MS);
    const [used] = before.sessions.map((session) => ({ ...session, lastUsedAt: ahead }));
    const [tidied] = removeExpired({ ...before, sessions: [used!] }, clock.date()).account.sessions;
    expect([tidied?.createdAt, tidied?.lastUsedAt]).to.deep.equal([began, clock.date()]);
  });
});
