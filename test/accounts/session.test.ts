// Session tokens.
import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountId } from '../../src/accounts/account.js';
import { isLive, newSession, parseSessionToken } from '../../src/accounts/session.js';
import { DAY_MS } from '../support/clock.js';

const AT = new Date(Date.UTC(2026, 4, 1));
const later = (ms: number): Date => new Date(AT.getTime() + ms);

describe('the end of a session', () => {
  const { session } = newSession('AccountId012' as AccountId, { userAgent: null, address: null }, AT);

  it('is seven days after its last use, and thirty after the sign-in, to the millisecond', () => {
    expect([isLive(session, later(7 * DAY_MS - 1)), isLive(session, later(7 * DAY_MS))]).to.deep.equal([true, false]);
    const used = { ...session, lastUsedAt: later(29 * DAY_MS) };
    expect([isLive(used, later(30 * DAY_MS - 1)), isLive(used, later(30 * DAY_MS))]).to.deep.equal([true, false]);
  });
});

describe('session', () => {
  const { session, token } = newSession('AccountId012' as AccountId, { userAgent: null, address: null }, new Date());

  it('has a token of 256 random bits and stores only its hash', () => {
    expect(token).to.match(/^AccountId012[\w-]{43}$/);
    expect(parseSessionToken(token)).to.deep.equal({ accountId: 'AccountId012', tokenHash: session.tokenHash });
    expect(JSON.stringify(session)).to.not.include(token.slice(12));
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => parseSessionToken(text) === undefined));
    for (const wrong of [`${token}\n`, token.slice(1), `${token}A`, ''])
      expect(parseSessionToken(wrong)).to.equal(undefined);
  });
});
