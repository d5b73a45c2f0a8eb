// Changes of an account's e-mail address.
import { expect } from 'chai';
import type { Account } from '../../../../../src/domain/account/account.js';
import { setCustomer, setSubscription } from '../../../../../src/domain/account/changes/billing.js';
import { changePassword } from '../../../../../src/domain/account/changes/credentials.js';
import {
  confirmEmailChange,
  requestEmailChange,
  setEmail,
} from '../../../../../src/domain/account/changes/email-change.js';
import { resetPassword, sendLink } from '../../../../../src/domain/account/changes/email-links.js';
import { beginDeletion } from '../../../../../src/domain/account/changes/lifecycle.js';
import { withNotice } from '../../../../../src/domain/account/changes/mails.js';
import type { Reauthentication } from '../../../../../src/domain/account/changes/reauthentication.js';
import { signIn } from '../../../../../src/domain/account/changes/sessions.js';
import { setSuspended } from '../../../../../src/domain/account/changes/status.js';
import { linkToken, type LinkPurpose } from '../../../../../src/domain/account/email-link.js';
import { presentMail } from '../../../../../src/http/routes/accounts/account-data.js';
import { someAccount } from '../../../../support/accounts.js';
import { clockAt, DAY_MS } from '../../../../support/clock.js';
import { thrownBy } from '../../../../support/thrown.js';

const SECRET = 'a secret of links';
const NEW = 'new@example.com';

describe('a change of the e-mail address', () => {
  const at = clockAt().date();
  const later = (ms: number) => new Date(at.getTime() + ms);

  function signedIn(): { readonly account: Account; readonly proof: Reauthentication } {
    const { account } = someAccount({ at, email: 'Ada@example.com' });
    const { account: changed, result } = signIn(
      account,
      { passwordVersion: 1, origin: { userAgent: null, address: null } },
      at,
    );
    return { account: { ...changed, mails: [] }, proof: { session: result.session.id, passwordVersion: 1 } };
  }
  function requested({ newEmail = NEW, isTaken = false, from = signedIn() } = {}): Account {
    return requestEmailChange(from.account, { proof: from.proof, newEmail, isTaken }, at).account;
  }
  const tokenOf = (account: Account, purpose: LinkPurpose = 'confirm-email') =>
    linkToken(
      account.id,
      account.links.find((link) => link.purpose === purpose)!,
      SECRET,
    );
  const confirm = (account: Account, token = tokenOf(account), when = at) =>
    confirmEmailChange(account, { token, secrets: [SECRET] }, when);
  const kinds = ({ mails }: Account) => mails.map(({ kind, to }) => [kind, to]);
  const codeOf = (work: () => unknown) => thrownBy(work).code;

  it('is pending until the link is used; both addresses get a mail', () => {
    const account = requested();
    expect(account.email).to.equal('Ada@example.com');
    expect(kinds(account)).to.deep.equal([
      ['confirm-email', NEW],
      ['email-change-requested', 'Ada@example.com'],
    ]);
    const done = confirm(account);
    expect(done.result).to.equal(NEW);
    expect(done.account).to.include({ email: NEW, emailVerified: true });
    expect(done.account).to.deep.include({ key: account.key, sessions: account.sessions, links: [] });
    expect(kinds(done.account).at(-1)).to.deep.equal(['email-changed', 'Ada@example.com']);
    expect(done.facts).to.deep.equal([{ type: 'user_updated', detail: { emailChanged: true } }]);
    expect(confirm(done.account, tokenOf(account)).result, 'a second time').to.equal(undefined);
  });

  it('looks the same in the export of mails that wait', () => {
    const exported = (isTaken: boolean) => requested({ isTaken }).mails.map(presentMail);
    expect(exported(true)).to.deep.equal(exported(false));
  });

  it('looks the same to the owner of the account whether or not the address is taken', () => {
    const from = signedIn();
    const of = (isTaken: boolean) =>
      requestEmailChange(from.account, { proof: from.proof, newEmail: NEW, isTaken }, at);
    const [free, taken] = [of(false), of(true)];
    expect(taken.facts).to.deep.equal(free.facts);
    expect(taken.account.links.map(({ purpose, newEmail }) => [purpose, newEmail])).to.deep.equal(
      free.account.links.map(({ purpose, newEmail }) => [purpose, newEmail]),
    );
    expect(kinds(taken.account)).to.deep.equal([['email-in-use', NEW], kinds(free.account)[1]]);
  });

  it('is valid for 24 hours', () => {
    const account = requested();
    expect(confirm(account, tokenOf(account), later(DAY_MS - 1)).result).to.equal(NEW);
    expect(confirm(account, tokenOf(account), later(DAY_MS)).result).to.equal(undefined);
  });

  it('is replaced by a newer one, with its mail', () => {
    const from = signedIn();
    const first = requested({ from });
    const second = requested({ newEmail: 'newer@example.com', from: { ...from, account: first } });
    expect(confirm(second, tokenOf(first)).result).to.equal(undefined);
    expect(confirm(second).result).to.equal('newer@example.com');
    expect(kinds(second).filter(([kind]) => kind === 'confirm-email')).to.deep.equal([
      ['confirm-email', 'newer@example.com'],
    ]);
  });

  it('ends with another password, a reset, and the account', () => {
    const from = signedIn();
    const account = requested({ from });
    const { proof } = from;
    const withReset = sendLink(account, 'reset-password', at).account;
    const reset = { token: tokenOf(withReset, 'reset-password'), secrets: [SECRET], passwordHash: '$new' };
    for (const { account: after } of [
      changePassword(account, { proof, passwordHash: '$new' }, at),
      resetPassword(withReset, reset, at),
      beginDeletion(account, proof, at),
    ])
      expect(confirm(after, tokenOf(account)).result).to.equal(undefined);
  });

  it('voids the links that the old address got, and sends what waits there', () => {
    const from = signedIn();
    const notified = withNotice(sendLink(from.account, 'reset-password', at).account, 'key-replaced', at);
    const account = requested({ from: { ...from, account: notified } });
    const token = tokenOf(account, 'reset-password');
    const done = confirm(account).account;
    const reset = resetPassword(done, { token, secrets: [SECRET], passwordHash: '$new' }, at);
    expect(reset.result).to.equal(undefined);
    expect(kinds(done)).to.deep.include(['key-replaced', 'Ada@example.com']);
    const again = withNotice(
      { ...done, mails: done.mails.map((mail) => ({ ...mail, dueAt: later(1) })) },
      'key-replaced',
      at,
    );
    expect(kinds(again), 'what happens after it').to.deep.include(['key-replaced', undefined]);
  });

  it('needs another address, the password and the session; nothing of a suspended account changes', () => {
    const from = signedIn();
    expect(codeOf(() => requested({ newEmail: 'ADA@EXAMPLE.com', from }))).to.equal('invalid_request');
    expect(codeOf(() => setEmail(from.account, 'ADA@EXAMPLE.com', at))).to.equal('invalid_request');
    const otherPassword = { ...from, proof: { ...from.proof, passwordVersion: 2 } };
    expect(codeOf(() => requested({ from: otherPassword }))).to.equal('invalid_credentials');
    const signedOut = { ...from, account: { ...from.account, sessions: [] } };
    expect(codeOf(() => requested({ from: signedOut }))).to.equal('invalid_token');
    const account = requested();
    expect(codeOf(() => confirm(setSuspended(account, true).account, tokenOf(account)))).to.equal('account_suspended');
  });

  it('is told to the payment provider, at once, until a sync has done so', () => {
    const from = signedIn();
    const customer = setCustomer(from.account, 'cus_1', at).account;
    const { billing } = confirm(requested({ from: { ...from, account: customer } }), undefined, at).account;
    expect(billing).to.deep.include({ isEmailOutdated: true, retryAt: at });
    const changed = { ...customer, billing };
    const report = { subscription: null, at };
    expect(setSubscription(changed, 'cus_1', report).account.billing).to.deep.include({
      isEmailOutdated: true,
      retryAt: at,
    });
    expect(setSubscription(changed, 'cus_1', { ...report, isEmailTold: true }).account.billing).to.deep.equal({
      customerId: 'cus_1',
      subscription: null,
      syncedAt: at,
      retryAt: null,
    });
  });

  it('by the operator is made at once, and the new address is to be verified', () => {
    const { account } = signedIn();
    const { account: changed, facts } = setEmail({ ...account, emailVerified: true }, NEW, at);
    expect(changed).to.include({ email: NEW, emailVerified: false });
    expect(kinds(changed)).to.deep.equal([
      ['email-changed', 'Ada@example.com'],
      ['verify-email', undefined],
    ]);
    expect(facts.map(({ type }) => type)).to.deep.equal(['user_updated', 'authn_token_created']);
  });
});
