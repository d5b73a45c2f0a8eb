// Creation, suspension and deletion of accounts, as pure functions.
import { expect } from 'chai';
import { beginDeletion, newAccount } from '../../../src/accounts/changes/lifecycle.js';
import { addPublishableKey } from '../../../src/accounts/changes/publishable-keys.js';
import { noteRegistration, noteThrottled, setSuspended, unlock } from '../../../src/accounts/changes/status.js';
import { parseApiKey } from '../../../src/accounts/api-key.js';
import { billingOf, someAccount, someSignedIn } from '../../support/accounts.js';
import { clockAt, DAY_MS, HOUR_MS } from '../../support/clock.js';
import { thrownBy } from '../../support/thrown.js';

const AT = clockAt().date();
const later = (ms: number) => new Date(AT.getTime() + ms);
const GIVEN = { email: 'Ada@example.com', passwordHash: 'hash', at: AT } as const;

describe('a new account', () => {
  it('has a key, and a link to verify its address', () => {
    const { account, facts, result } = newAccount({ ...GIVEN, tier: 'free' });
    const { id, key, links, mails, ...rest } = account;
    expect(rest).to.deep.include({
      email: 'Ada@example.com',
      emailVerified: false,
      password: { hash: 'hash', version: 1 },
      tier: 'free',
      operatorTier: null,
      suspended: false,
      createdAt: AT,
      publishableKeys: [],
      sessions: [],
      throttleNoticeAt: null,
      unlocks: 0,
      deleting: false,
      version: 1,
    });
    expect(parseApiKey(result.apiKey)).to.include({ accountId: id, hash: key?.hash });
    expect(key).to.deep.include({ hint: result.apiKey.slice(-4), createdAt: AT, lastUsedAt: null });
    expect(links.map(({ purpose, expiresAt }) => [purpose, expiresAt])).to.deep.equal([
      ['verify-email', later(3 * DAY_MS)],
    ]);
    expect(mails.map(({ kind, to, tries, dueAt }) => [kind, to, tries, dueAt])).to.deep.equal([
      ['verify-email', undefined, 0, AT],
    ]);
    expect(facts).to.deep.equal([{ type: 'user_created', detail: { tier: 'free', key: key?.hint } }]);
  });

  it('has no link and no mail if its address is verified', () => {
    const { account } = newAccount({ ...GIVEN, tier: 'free', emailVerified: true });
    expect(account).to.deep.include({ emailVerified: true, links: [], mails: [] });
  });

  it('has another tier than free if the operator has set it', () => {
    const { account, facts } = newAccount({ ...GIVEN, tier: 'pro' });
    expect(account).to.include({ tier: 'pro', operatorTier: 'pro' });
    expect(facts[0]?.detail).to.include({ tier: 'pro' });
  });
});

describe('the deletion of an account', () => {
  it('immediately removes all credentials and waiting mails', () => {
    const { account: signedIn, proof } = someSignedIn({ at: AT });
    const settings = { name: 'Website', origins: [], dailyLimit: null };
    const { account: keyed } = addPublishableKey(signedIn, { session: proof.session, settings }, AT);
    const account = { ...keyed, ownBrands: { pages: 'a', count: 1, changes: 1 }, billing: billingOf('1') };
    for (const used of [proof, undefined])
      expect(beginDeletion(account, used, AT)).to.deep.equal({
        account: {
          ...account,
          deleting: true,
          key: null,
          publishableKeys: [],
          ownBrands: null,
          sessions: [],
          links: [],
          mails: [],
        },
        facts: [{ type: 'user_deleted' }],
        result: undefined,
      });
    const wrong = { ...proof, passwordVersion: 2 };
    expect(thrownBy(() => beginDeletion(account, wrong, AT))).to.include({ code: 'invalid_credentials' });
    expect(thrownBy(() => beginDeletion({ ...account, suspended: true }, proof, AT))).to.include({
      code: 'account_suspended',
    });
  });
});

describe('the status of an account', () => {
  const { account: fresh } = someAccount({ at: AT });
  const account = { ...fresh, mails: [] };

  it('is suspended and resumed once, each with a separate event', () => {
    const { account: suspended, facts } = setSuspended(account, true);
    expect([suspended, facts]).to.deep.equal([{ ...account, suspended: true }, [{ type: 'authn_login_lock' }]]);
    expect(setSuspended(suspended, true)).to.deep.equal({ account: suspended, facts: [], result: undefined });
    expect(setSuspended(suspended, true).account).to.equal(suspended);
    expect(setSuspended(suspended, false)).to.deep.equal({
      account,
      facts: [{ type: 'user_updated', detail: { suspended: false } }],
      result: undefined,
    });
  });

  it('is throttled at most once an hour, unless the operator has lifted it', () => {
    const first = noteThrottled(account, AT);
    expect(first.facts).to.deep.equal([{ type: 'authn_login_fail_max' }]);
    expect(first.account.throttleNoticeAt).to.deep.equal(AT);
    expect(first.account.mails.map(({ kind }) => kind)).to.deep.equal(['sign-ins-throttled']);
    const soon = noteThrottled(first.account, later(HOUR_MS - 1));
    expect([soon.account, soon.facts]).to.deep.equal([first.account, []]);
    expect(noteThrottled(first.account, later(HOUR_MS)).facts).to.have.length(1);
    const lifted = unlock(first.account);
    expect(lifted).to.deep.equal({
      account: { ...first.account, throttleNoticeAt: null, unlocks: 1 },
      facts: [{ type: 'user_updated', detail: { throttled: false } }],
      result: undefined,
    });
    expect(noteThrottled(lifted.account, later(1)).facts).to.have.length(1);
  });

  it('stays unchanged when somebody registers with its address, and the owner is notified', () => {
    const { account: noted, facts } = noteRegistration(account, AT);
    const { mails, noticedAt, ...rest } = noted;
    expect({ ...rest, mails: [], noticedAt: {} }).to.deep.equal(account);
    expect(facts).to.deep.equal([]);
    expect(mails.map(({ kind, dueAt }) => [kind, dueAt])).to.deep.equal([['registration-tried', AT]]);
    expect(noticedAt).to.deep.equal({ 'registration-tried': AT });
  });
});
