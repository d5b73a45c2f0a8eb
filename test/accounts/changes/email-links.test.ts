// Mailed links that are asked for again, or are void after another one was used.
import { expect } from 'chai';
import { resetPassword, sendLink } from '../../../src/accounts/changes/email-links.js';
import { LINK_LIFETIME_MS, linkToken } from '../../../src/accounts/email-link.js';
import { someAccount } from '../../support/accounts.js';
import { clockAt } from '../../support/clock.js';

const SECRET = 'a secret of links';

describe('a mailed link that is asked for again', () => {
  const at = clockAt().date();
  const account = { ...someAccount({ at }).account, links: [], mails: [] };

  for (const purpose of ['reset-password', 'verify-email'] as const)
    it(`is the same one while half of its time is left, else a new one: ${purpose}`, () => {
      const first = sendLink(account, purpose, at).account;
      const half = at.getTime() + LINK_LIFETIME_MS[purpose] / 2;
      const again = sendLink(first, purpose, new Date(half)).account;
      expect(again.links).to.deep.equal(first.links);
      expect(again.mails.map(({ kind }) => kind)).to.deep.equal([purpose]);
      const late = sendLink(first, purpose, new Date(half + 1)).account;
      expect(late.links.map(({ expiresAt }) => expiresAt.getTime())).to.deep.equal([
        half + 1 + LINK_LIFETIME_MS[purpose],
      ]);
      expect(late.links[0]?.nonce).not.to.equal(first.links[0]?.nonce);
    });
});

describe('a link that resets the password', () => {
  it('leaves no other link, because it has verified the address, too', () => {
    const at = clockAt().date();
    const { account } = someAccount({ at });
    const asked = sendLink(sendLink(account, 'verify-email', at).account, 'reset-password', at).account;
    expect(asked.links.map(({ purpose }) => purpose)).to.have.members(['verify-email', 'reset-password']);
    const link = asked.links.find(({ purpose }) => purpose === 'reset-password')!;
    const token = linkToken(asked.id, link, SECRET);
    const { account: reset } = resetPassword(asked, { token, secrets: [SECRET], passwordHash: 'new' }, at);
    expect(reset).to.deep.include({ emailVerified: true, links: [], sessions: [] });
    expect(reset.password).to.deep.equal({ hash: 'new', version: account.password.version + 1 });
  });
});
