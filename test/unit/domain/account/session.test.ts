// Session timeouts and tokens.
import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountId } from '../../../../src/domain/account/account.js';
import {
  absoluteEnd,
  isLive,
  isWorthTouching,
  newSession,
  parseSessionToken,
  sessionEnd,
} from '../../../../src/domain/account/session.js';
import { clockAt, DAY_MS, MINUTE_MS } from '../../../support/clock.js';

const AT = clockAt().date();
const later = (ms: number): Date => new Date(AT.getTime() + ms);

describe('session', () => {
  const { session, token } = newSession('AccountId012' as AccountId, { userAgent: null, address: null }, AT);

  it('ends seven days after its last use', () => {
    expect(isLive(session, later(7 * DAY_MS - 1))).to.equal(true);
    expect(isLive(session, later(7 * DAY_MS))).to.equal(false);
    const used = { ...session, lastUsedAt: later(5 * DAY_MS) };
    expect(sessionEnd(used)).to.deep.equal(later(12 * DAY_MS));
  });

  it('ends thirty days after sign-in, however much it is used', () => {
    const used = { ...session, lastUsedAt: later(30 * DAY_MS - 1) };
    expect(absoluteEnd(used)).to.deep.equal(later(30 * DAY_MS));
    expect(isLive(used, later(30 * DAY_MS - 1))).to.equal(true);
    expect(isLive(used, later(30 * DAY_MS))).to.equal(false);
  });

  it('records its use at most once a minute', () => {
    expect(isWorthTouching(session, later(MINUTE_MS - 1))).to.equal(false);
    expect(isWorthTouching(session, later(MINUTE_MS))).to.equal(true);
    expect(isWorthTouching(session, later(-DAY_MS)), 'a clock that went back').to.equal(true);
  });

  it('has a token of 256 random bits and stores only its hash', () => {
    expect(token).to.match(/^AccountId012[\w-]{43}$/);
    expect(parseSessionToken(token)).to.deep.equal({ accountId: 'AccountId012', tokenHash: session.tokenHash });
    expect(JSON.stringify(session)).to.not.include(token.slice(12));
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => parseSessionToken(text) === undefined));
    for (const wrong of [`${token}\n`, token.slice(1), `${token}A`, ''])
      expect(parseSessionToken(wrong)).to.equal(undefined);
  });
});
