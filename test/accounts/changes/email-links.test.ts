// Links in mails: when a new request replaces a link, and which links become invalid.
import { expect } from 'chai';
import {
  makeResetLink,
  resetPassword,
  sendLink,
  verifyEmail,
  withLink,
} from '../../../src/accounts/changes/email-links.js';
import { withMail } from '../../../src/accounts/changes/mails.js';
import { LINK_LIFETIME_MS, linkToken, newLink } from '../../../src/accounts/email-link.js';
import { someAccount } from '../../support/accounts.js';
import { clockAt } from '../../support/clock.js';

const SECRET = 'a secret of links';

describe('a mailed link that is asked for again', () => {
  const at = clockAt().date();
  const account = { ...someAccount({ at }).account, links: [], mails: [] };

  for (const purpose of ['reset-password', 'verify-email'] as const)
    it(`stays the same while half of its time is left, or else is replaced: ${purpose}`, () => {
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
  it('invalidates all other links, because it has also verified the address', () => {
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

describe('a link of an account', () => {
  const at = clockAt().date();
  const fresh = { ...someAccount({ at }).account, links: [], mails: [] };
  const recorded = (purpose: string) => [{ type: 'authn_token_created', detail: { token: 'link', purpose } }];

  it("replaces an older one of its purpose and that one's mail", () => {
    const [older, other, newer] = [
      newLink('reset-password', at),
      newLink('verify-email', at),
      newLink('reset-password', at),
    ];
    const before = withMail(withMail({ ...fresh, links: [older, other] }, 'reset-password', at), 'verify-email', at);
    const { account, facts, result } = withLink(before, newer);
    expect(account).to.deep.equal({ ...before, links: [other, newer], mails: before.mails.slice(1) });
    expect([facts, result]).to.deep.equal([recorded('reset-password'), newer]);
  });

  it('is mailed, unless the address is verified already', () => {
    const verified = { ...fresh, emailVerified: true };
    expect(sendLink(verified, 'verify-email', at).account).to.equal(verified);
    for (const [account, purpose] of [
      [fresh, 'verify-email'],
      [fresh, 'reset-password'],
      [verified, 'reset-password'],
    ] as const) {
      const sent = sendLink(account, purpose, at);
      expect(sent.account.mails.map(({ kind, to }) => [kind, to])).to.deep.equal([[purpose, undefined]]);
      expect([sent.facts, sent.result]).to.deep.equal([recorded(purpose), undefined]);
    }
  });

  it('is given to the operator without a mail', () => {
    const { account, facts, result } = makeResetLink(fresh, at);
    expect(account).to.deep.equal({ ...fresh, links: [result] });
    expect(result).to.include({ purpose: 'reset-password' });
    expect(result.expiresAt.getTime() - at.getTime()).to.equal(LINK_LIFETIME_MS['reset-password']);
    expect(facts).to.deep.equal(recorded('reset-password'));
  });

  it('verifies the address once, and keeps the others', () => {
    const links = [newLink('reset-password', at), newLink('verify-email', at)] as const;
    const open = { ...fresh, links: [...links] };
    const token = linkToken(open.id, links[1], SECRET);
    const used = { token, secrets: ['another', SECRET] };
    const done = verifyEmail(open, used, at);
    expect(done).to.deep.equal({
      account: { ...open, emailVerified: true, links: [links[0]] },
      facts: [{ type: 'user_updated', detail: { emailVerified: true } }],
      result: true,
    });
    const reset = { ...used, token: linkToken(open.id, links[0], SECRET) };
    for (const [account, link, when] of [
      [done.account, used, at],
      [open, reset, at],
      [open, { ...used, secrets: ['another'] }, at],
      [open, used, links[1].expiresAt],
    ] as const) {
      expect(verifyEmail(account, link, when)).to.deep.equal({ account, facts: [], result: false });
      expect(verifyEmail(account, link, when).account).to.equal(account);
    }
    const wrong = resetPassword(open, { ...used, passwordHash: 'new' }, at);
    expect(wrong).to.deep.equal({ account: open, facts: [], result: undefined });
    const right = resetPassword(open, { ...reset, passwordHash: 'new' }, at);
    expect(right.result).to.equal(right.account);
  });
});
