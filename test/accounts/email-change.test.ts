// Requests and confirmations of a new e-mail address: rate limits, addresses that other accounts use, and failures.
import { expect } from 'chai';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import type { Account } from '../../src/accounts/account.js';
import { createEmailChange } from '../../src/accounts/email-change.js';
import { linkToken } from '../../src/accounts/email-link.js';
import { AppError } from '../../src/platform/errors.js';
import { openTestAccounts, rejection, someClient, type TestAccounts } from '../support/account-services.js';
import { OPERATOR, someAccount, someSignedIn } from '../support/accounts.js';

const NEW = 'new@example.com';

describe('a new e-mail address', () => {
  let parts: TestAccounts;
  beforeEach(async () => {
    parts = await openTestAccounts({ mails: 'by the job' });
  });
  afterEach(() => parts.close());

  /** Creates a signed-in account. Returns functions for its requests. Their password always counts as right. */
  async function owner(replaced: Partial<TestAccounts> = {}) {
    const { account, session, proof } = someSignedIn();
    await parts.accounts.insert({ ...account, mails: [] });
    const checks: string[] = [];
    const credentials = { prove: async () => (checks.push('password'), proof) };
    const service = createEmailChange({ ...parts, ...replaced, credentials });
    const confirmed = { caller: { account, session }, currentPassword: '', client: someClient() };
    return {
      account,
      checks,
      request: (newEmail: string) => rejection(service.request(confirmed, newEmail)),
      confirm: (token: string) => rejection(service.confirm(token, someClient())),
      stored: async (): Promise<Account> => (await parts.accounts.find(account.id))!,
    };
  }
  const mailsOf = ({ mails }: Account) => mails.map(({ kind, to }) => [kind, to]);

  it('that is the current one is rejected before the password is checked', async () => {
    const { account, request, checks } = await owner();
    expect(await request(account.email.toUpperCase())).to.equal('invalid_request');
    expect(checks).to.deep.equal([]);
    expect(await request(NEW)).to.equal('no rejection');
    expect(checks).to.deep.equal(['password']);
  });

  it('of an account that is being deleted counts as free', async () => {
    const { account: other } = someAccount({ email: NEW });
    await parts.accounts.insert(other);
    const { account, request, stored } = await owner();
    await request(NEW);
    expect(mailsOf(await stored())[0]).to.deep.equal(['email-in-use', NEW]);
    await parts.actors.run(other.id, OPERATOR, (current, at) => beginDeletion(current, undefined, at));
    await request(NEW);
    expect(mailsOf(await stored())).to.deep.include(['confirm-email', NEW]);
    expect(mailsOf(await stored())).to.deep.include(['email-change-requested', account.email]);
  });

  it('is mailed five times in all of its spellings, from any accounts', async () => {
    const outcomes: unknown[] = [];
    for (const spelling of [NEW, 'New@example.com', 'NEW@EXAMPLE.COM', NEW, 'new@Example.com', 'nEw@example.com'])
      outcomes.push(await (await owner()).request(spelling));
    expect(outcomes.filter((outcome) => outcome === 'no rejection')).to.have.length(5);
    expect(outcomes.at(-1)).to.equal('rate_limited');
  });

  it('does not use up its limit if the request cannot be saved', async () => {
    const busy = () => Promise.reject(new AppError('busy'));
    const { request } = await owner({ actors: { run: busy, runPrepared: busy } });
    for (let count = 0; count < 6; count++) expect(await request(NEW)).to.equal('busy');
    expect(await (await owner()).request(NEW)).to.equal('no rejection');
  });

  it('is confirmed even if the limit of wrong passwords cannot be reset, which is reported', async () => {
    const reset = () => Promise.reject(new Error('the store is gone'));
    const { account, request, confirm, stored } = await owner({ rateLimits: { ...parts.rateLimits, reset } });
    await request(NEW);
    const link = (await stored()).links.find(({ purpose }) => purpose === 'confirm-email')!;
    expect(await confirm(linkToken(account.id, link, parts.linkSecrets[0]))).to.equal('no rejection');
    expect((await stored()).email).to.equal(NEW);
    expect(parts.reports).to.deep.equal([{ what: 'resetting a sign-in limit failed' }]);
  });
});
