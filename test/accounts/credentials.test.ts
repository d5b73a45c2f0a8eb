// Changes that require the password: the checks before the password check, and how long a right password is remembered.
import { expect } from 'chai';
import { createNoPayments } from '../../src/billing/no-payments.js';
import { createCredentials, type Confirmed } from '../../src/accounts/credentials.js';
import {
  openTestAccounts,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someSignedIn } from '../support/accounts.js';
import { clockAt, MINUTE_MS, type Clock } from '../support/clock.js';

const PASSWORD = 'a longer cafe\u0301 phrase';

describe('a typed password', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let checks: number;
  beforeEach(async () => {
    clock = clockAt();
    parts = await openTestAccounts({ now: clock.now, mails: 'by the job' });
    checks = 0;
  });
  afterEach(() => parts.close());

  async function signedIn() {
    const { account, session } = someSignedIn({ passwordHash: PASSWORD_HASH, at: clock.date() });
    await parts.accounts.insert(account);
    const check = { verify: async () => (checks++, (await parts.accounts.find(account.id))!) };
    const service = createCredentials({ ...parts, payments: createNoPayments(), check });
    const confirmed: Confirmed = { caller: { account, session }, currentPassword: PASSWORD, client: someClient() };
    /** Reads the account and the session of the next request. */
    const caller = async () => {
      const current = (await parts.accounts.find(account.id))!;
      return { account: current, session: current.sessions[0]! };
    };
    return { service, confirmed, caller };
  }

  it('is not checked for an unacceptable new password, which includes the same one in another Unicode spelling', async () => {
    const { service, confirmed } = await signedIn();
    const { email } = confirmed.caller.account;
    for (const bad of [PASSWORD, PASSWORD.normalize('NFC'), PASSWORD.normalize('NFD'), 'short', email.toUpperCase()])
      expect(await rejection(service.changePassword(confirmed, bad)), bad).to.equal('invalid_request');
    expect(checks).to.equal(0);
    expect(await rejection(service.changePassword(confirmed, 'another pass phrase'))).to.equal('no rejection');
    expect(checks).to.equal(1);
  });

  it('counts for five minutes in its session, if it is not changed', async () => {
    const { service, confirmed, caller } = await signedIn();
    const { client } = confirmed;
    const again = async () => rejection(service.proveForMinutes({ caller: await caller(), client }));
    expect(await again()).to.equal('invalid_request');
    expect(await service.proveForMinutes(confirmed)).to.deep.equal({
      session: confirmed.caller.session.id,
      passwordVersion: 1,
    });
    clock.advance(5 * MINUTE_MS - 1);
    expect(await again()).to.equal('no rejection');
    expect(await service.proveForMinutes({ caller: await caller(), client })).to.include({ passwordVersion: 1 });
    clock.advance(1);
    expect(await again(), 'a use does not extend it').to.equal('invalid_request');
    expect(checks).to.equal(1);
  });
});
