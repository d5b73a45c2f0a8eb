// Tokens of e-mail links: valid for one account, one purpose, one use and a limited time.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Account, AccountId } from '../../src/accounts/account.js';
import { randomBase62 } from '../../src/platform/text/base62.js';
import { linkAccount, linkOf, linkToken, newLink, type LinkPurpose } from '../../src/accounts/email-link.js';
import { clockAt } from '../support/clock.js';

const SECRET = 'the secret of links';
const at = clockAt().date();

function someone(...purposes: LinkPurpose[]): Pick<Account, 'id' | 'links'> {
  return { id: randomBase62(12) as AccountId, links: purposes.map((purpose) => newLink(purpose, at)) };
}

describe('link tokens', () => {
  const account = someone('reset-password', 'verify-email');
  const [reset, verify] = account.links;
  const token = linkToken(account.id, reset!, SECRET);
  const find = (given: string, changes: Partial<Parameters<typeof linkOf>[2]> = {}, of = account) =>
    linkOf(of, given, { purpose: 'reset-password', secrets: [SECRET], at, ...changes });

  it('identify their account and link', () => {
    expect(linkAccount(token)).to.equal(account.id);
    expect(find(token)).to.equal(reset);
    expect(find(linkToken(account.id, verify!, SECRET), { purpose: 'verify-email' })).to.equal(verify);
  });

  it('are rejected for another purpose, account or secret, and after use', () => {
    expect(find(token, { purpose: 'verify-email' })).to.equal(undefined);
    expect(find(linkToken(account.id, { ...reset!, purpose: 'verify-email' }, SECRET))).to.equal(undefined);
    expect(find(token, {}, { ...account, id: randomBase62(12) as AccountId })).to.equal(undefined);
    expect(find(token, {}, someone('reset-password'))).to.equal(undefined);
    expect(find(token, { secrets: ['another'] })).to.equal(undefined);
    expect(find(token, { secrets: [] })).to.equal(undefined);
    expect(find(token, {}, { ...account, links: [] })).to.equal(undefined);
  });

  it('are accepted from any of the secrets', () => {
    expect(find(token, { secrets: ['newer', SECRET] })).to.equal(reset);
  });

  it('cannot be forged or changed', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => linkAccount(text) === undefined && find(text) === undefined),
    );
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, letter) => {
        const changed = token.slice(0, place) + letter + token.slice(place + 1);
        return changed === token || find(changed) === undefined;
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        (guess) => guess === SECRET || find(linkToken(account.id, reset!, guess)) === undefined,
      ),
    );
    for (const wrong of [`${token}A`, token.slice(1), ` ${token}`, `${token}\n`, ''])
      expect(find(wrong), JSON.stringify(wrong)).to.equal(undefined);
  });
});
