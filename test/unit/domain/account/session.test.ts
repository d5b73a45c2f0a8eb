// Session tokens.
import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountId } from '../../../../src/domain/account/account.js';
import { newSession, parseSessionToken } from '../../../../src/domain/account/session.js';

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
