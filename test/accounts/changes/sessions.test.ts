// Pure functions that change sessions: their audit events and the expiry times of sessions.
import { expect } from 'chai';
import type { Account } from '../../../src/accounts/account.js';
import { newLink } from '../../../src/accounts/email-link.js';
import {
  endAllSessions,
  endSession,
  removeExpired,
  signIn,
  useSession,
} from '../../../src/accounts/changes/sessions.js';
import { MAX_SESSIONS, newSession, type Session, type SessionId } from '../../../src/accounts/session.js';
import { someAccount } from '../../support/accounts.js';
import { clockAt, DAY_MS, MINUTE_MS } from '../../support/clock.js';
import { thrownBy } from '../../support/thrown.js';

const AT = clockAt().date();
const later = (ms: number) => new Date(AT.getTime() + ms);
const ORIGIN = { userAgent: 'Firefox', address: '192.0.2.0' };
const WEEK_MS = 7 * DAY_MS;

const account: Account = { ...someAccount({ at: AT }).account, links: [], mails: [] };
const session = (usedMs = 0): Session => ({
  ...newSession(account.id, ORIGIN, AT).session,
  lastUsedAt: later(usedMs),
});
const withSessions = (...sessions: readonly Session[]): Account => ({ ...account, sessions });
const enter = (to: Account, at: Date, more: Partial<Parameters<typeof signIn>[1]> = {}) =>
  signIn(to, { passwordVersion: 1, origin: ORIGIN, ...more }, at);

describe('a sign-in', () => {
  it('adds a session after the live ones, and is recorded', () => {
    const [ended, live] = [session(), session(1)];
    const { account: entered, facts, result } = enter(withSessions(ended, live), later(WEEK_MS));
    expect(entered.sessions).to.deep.equal([live, result.session]);
    expect(result.session).to.deep.include({ ...ORIGIN, createdAt: later(WEEK_MS), lastUsedAt: later(WEEK_MS) });
    expect(facts).to.deep.equal([{ type: 'authn_login_success', detail: { session: result.session.id } }]);
    expect(entered.password).to.equal(account.password);
  });

  it('keeps the version of a password that is hashed again', () => {
    expect(enter(account, AT, { rehash: 'newer' }).account.password).to.deep.equal({ hash: 'newer', version: 1 });
  });

  it('needs the password that was found right', () => {
    for (const passwordVersion of [0, 2])
      expect(thrownBy(() => enter(account, AT, { passwordVersion }))).to.include({ code: 'invalid_credentials' });
  });

  it('keeps a hundred live sessions, and records the end of the replaced one', () => {
    const most = Array.from({ length: MAX_SESSIONS - 1 }, (_, index) => session(MINUTE_MS + index));
    expect(MAX_SESSIONS).to.equal(100);
    const ended = { ...session(), createdAt: later(-30 * DAY_MS) };
    expect(enter(withSessions(...most, ended), later(MINUTE_MS), { endOldest: true }).facts).to.have.length(1);
    const oldest = session(MINUTE_MS);
    const full = withSessions(...most.slice(1), oldest, session(2 * MINUTE_MS));
    expect(thrownBy(() => enter(full, later(MINUTE_MS)))).to.include({ code: 'session_limit' });
    const { account: entered, facts, result } = enter(full, later(MINUTE_MS), { endOldest: true });
    expect(entered.sessions).to.deep.equal([...full.sessions.filter((one) => one !== oldest), result.session]);
    expect(facts[1]).to.deep.equal({ type: 'session_expired', detail: { session: oldest.id, why: 'too many' } });
  });
});

describe('the use of a session', () => {
  it('is written once a minute, only for a live one', () => {
    const [used, other] = [session(), session()];
    const open = withSessions(other, used);
    for (const [id, ms] of [
      [used.id, 0],
      [used.id, MINUTE_MS - 1],
      [used.id, WEEK_MS],
      ['no such one' as SessionId, MINUTE_MS],
    ] as const)
      expect(useSession(open, id, later(ms)).account).to.equal(open);
    for (const ms of [MINUTE_MS, WEEK_MS - 1])
      expect(useSession(open, used.id, later(ms))).to.deep.equal({
        account: withSessions(other, { ...used, lastUsedAt: later(ms) }),
        facts: [],
        result: undefined,
      });
  });
});

describe('the end of sessions', () => {
  const [one, other] = [session(), session(1)];
  const open = withSessions(one, other);

  it('ends a live session', () => {
    expect(endSession(open, one.id, later(WEEK_MS - 1))).to.deep.equal({
      account: withSessions(other),
      facts: [{ type: 'session_expired', detail: { session: one.id, why: 'signed out' } }],
      result: true,
    });
    for (const [id, at] of [
      [one.id, later(WEEK_MS)],
      ['no such one' as SessionId, AT],
    ] as const) {
      const change = endSession(open, id, at);
      expect(change).to.deep.equal({ account: open, facts: [], result: false });
      expect(change.account).to.equal(open);
    }
  });

  it('ends all sessions, and returns how many were live', () => {
    for (const at of [AT, later(WEEK_MS)]) {
      const live = at === AT ? 2 : 1;
      expect(endAllSessions(open, undefined, at)).to.deep.equal({
        account: withSessions(),
        facts: [{ type: 'session_expired', detail: { sessions: live, why: 'signed out everywhere' } }],
        result: live,
      });
    }
    const none = endAllSessions(account, undefined, AT);
    expect(none).to.deep.equal({ account, facts: [], result: 0 });
    expect(none.account).to.equal(account);
  });

  it('is recorded once for all expired ones', () => {
    const links = [newLink('reset-password', AT), newLink('verify-email', AT)];
    const stored = { ...open, links };
    expect(removeExpired(stored, later(30 * MINUTE_MS - 1)).account).to.equal(stored);
    expect(removeExpired(stored, later(30 * MINUTE_MS))).to.deep.equal({
      account: { ...stored, links: [links[1]] },
      facts: [],
      result: undefined,
    });
    expect(removeExpired(stored, later(WEEK_MS))).to.deep.equal({
      account: { ...stored, links: [], sessions: [other] },
      facts: [{ type: 'session_expired', detail: { sessions: 1, why: 'time' } }],
      result: undefined,
    });
    expect(removeExpired(stored, later(WEEK_MS + 1)).facts[0]?.detail).to.include({ sessions: 2 });
  });
});
