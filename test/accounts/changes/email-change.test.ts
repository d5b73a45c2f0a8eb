// Changes of an e-mail address: the new address stays secret until it is confirmed, and unsent mails are sent to the
// right address.
import { expect } from 'chai';
import type { Account } from '../../../src/accounts/account.js';
import { billingDueAt } from '../../../src/accounts/changes/billing.js';
import {
  assertOtherEmail,
  confirmEmailChange,
  requestEmailChange,
  setEmail,
} from '../../../src/accounts/changes/email-change.js';
import { withNotice } from '../../../src/accounts/changes/mails.js';
import { linkToken } from '../../../src/accounts/email-link.js';
import { presentMail } from '../../../src/accounts/account-data.routes.js';
import { billingOf, someSignedIn } from '../../support/accounts.js';
import { clockAt } from '../../support/clock.js';
import { thrownBy } from '../../support/thrown.js';

const SECRET = 'a secret of links';
const NEW = 'new@example.com';

describe('a change of the e-mail address', () => {
  const at = clockAt().date();
  const { account: owner, proof } = someSignedIn({ at, email: 'Ada@example.com' });
  const requested = (isTaken = false, from: Account = { ...owner, mails: [] }) =>
    requestEmailChange(from, { proof, newEmail: NEW, isTaken }, at);
  const kinds = ({ mails }: Account) => mails.map(({ kind, to }) => [kind, to]);

  it('looks the same in the export of waiting mails', () => {
    const exported = (isTaken: boolean) => requested(isTaken).account.mails.map(presentMail);
    expect(exported(true)).to.deep.equal(exported(false));
  });

  it('looks the same to the owner of the account whether or not the address is taken', () => {
    const [free, taken] = [requested(false), requested(true)];
    const links = ({ account }: typeof free) => account.links.map(({ purpose, newEmail }) => [purpose, newEmail]);
    expect([taken.facts, links(taken)]).to.deep.equal([free.facts, links(free)]);
    expect(kinds(free.account)).to.deep.equal([
      ['confirm-email', NEW],
      ['email-change-requested', 'Ada@example.com'],
    ]);
    expect(kinds(taken.account)).to.deep.equal([['email-in-use', NEW], kinds(free.account)[1]]);
  });

  it('is reported to the payment provider immediately', () => {
    const billing = { ...billingOf(owner.id), retryAt: null };
    const { account } = requested(false, { ...owner, billing });
    const link = account.links.find(({ purpose }) => purpose === 'confirm-email')!;
    const token = linkToken(account.id, link, SECRET);
    const done = confirmEmailChange(account, { token, secrets: [SECRET] }, at).account;
    expect(done.billing).to.deep.equal({ ...billing, isEmailOutdated: true, retryAt: at });
    expect(billingDueAt(done)).to.deep.equal(at);
  });

  it('sends waiting mails to the address that they concern', () => {
    const { account } = requested(false, withNotice({ ...owner, mails: [] }, 'key-replaced', at));
    const token = linkToken(
      account.id,
      account.links.find(({ purpose }) => purpose === 'confirm-email')!,
      SECRET,
    );
    const done = confirmEmailChange(account, { token, secrets: [SECRET] }, at).account;
    expect(kinds(done)).to.deep.include(['key-replaced', 'Ada@example.com']);
    const mails = done.mails.map((mail) => ({ ...mail, dueAt: new Date(at.getTime() + 1) }));
    const again = withNotice({ ...done, mails }, 'key-replaced', at);
    expect(kinds(again), 'what happens after it').to.deep.include(['key-replaced', undefined]);
  });

  it('sets the address and invalidates every link, but keeps sessions and keys', () => {
    const { account: asked } = requested();
    const link = asked.links.find(({ purpose }) => purpose === 'confirm-email')!;
    const token = linkToken(asked.id, link, SECRET);
    const { account: done, facts, result } = confirmEmailChange(asked, { token, secrets: ['x', SECRET] }, at);
    expect(result).to.equal(NEW);
    expect(facts).to.deep.equal([{ type: 'user_updated', detail: { emailChanged: true } }]);
    const { mails } = done;
    expect(done).to.deep.equal({ ...asked, mails, email: NEW, emailVerified: true, links: [] });
    expect(mails.slice(0, -1), 'those that wait').to.deep.equal(asked.mails);
    expect(kinds({ ...done, mails: mails.slice(-1) })).to.deep.equal([['email-changed', 'Ada@example.com']]);
    const late = new Date(link.expiresAt);
    expect(confirmEmailChange(asked, { token, secrets: [SECRET] }, late)).to.deep.equal({
      account: asked,
      facts: [],
      result: undefined,
    });
  });

  it('is immediate if the operator makes it, and the new address must be verified', () => {
    const before = { ...owner, emailVerified: true, mails: [] };
    const { account: done, facts } = setEmail(before, NEW, at);
    expect(done).to.include({ email: NEW, emailVerified: false, billing: null });
    expect(done.sessions).to.deep.equal(owner.sessions);
    expect(done.links.map(({ purpose }) => purpose)).to.deep.equal(['verify-email']);
    expect(kinds(done)).to.deep.equal([
      ['email-changed', 'Ada@example.com'],
      ['verify-email', undefined],
    ]);
    expect(facts).to.deep.equal([
      { type: 'user_updated', detail: { emailChanged: true } },
      { type: 'authn_token_created', detail: { token: 'link', purpose: 'verify-email' } },
    ]);
  });

  it('must change the address in any spelling, and needs the password', () => {
    for (const same of ['Ada@example.com', 'ada@EXAMPLE.com'])
      for (const change of [
        () => requestEmailChange(owner, { proof, newEmail: same, isTaken: false }, at),
        () => setEmail(owner, same, at),
        () => assertOtherEmail(owner, same),
      ])
        expect(thrownBy(change).details).to.deep.equal([
          {
            field: 'newEmail',
            reason: 'already the address of this account',
            allowed: 'another e-mail address',
          },
        ]);
    const wrong = { ...proof, passwordVersion: 2 };
    expect(thrownBy(() => requestEmailChange(owner, { proof: wrong, newEmail: NEW, isTaken: false }, at))).to.include({
      code: 'invalid_credentials',
    });
  });
});
