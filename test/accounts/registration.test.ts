// Rate limits of registration, and attempts that are not counted.
import { expect } from 'chai';
import { AppError } from '../../src/platform/errors.js';
import { createRegistration } from '../../src/accounts/registration.js';
import {
  openTestAccounts,
  PASSWORD,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';

const LIMIT = 100;
const verified = {
  request: () => expect.fail('registration is open'),
  open: () => expect.fail('registration is open'),
};

describe('registration', () => {
  let parts: TestAccounts;
  beforeEach(async () => (parts = await openTestAccounts()));
  afterEach(() => parts.close());

  /** Returns a function that registers an address. All registrations come from the same client. */
  function registering({ hash = async () => PASSWORD_HASH, accounts = parts.accounts }) {
    const service = createRegistration({
      ...parts,
      accounts,
      passwords: { assertGood: () => undefined, hash },
      onChange: () => undefined,
      now: Date.now,
      registration: 'open',
      verified,
    });
    const client = someClient();
    return (email: string) => rejection(service.register({ email, password: PASSWORD, client }));
  }

  it('refunds its rate limit when too many passwords are being hashed', async () => {
    let isBusy = true;
    const hash = async () => {
      if (isBusy) throw new AppError('busy');
      return PASSWORD_HASH;
    };
    const register = registering({ hash });
    const attempt = (index: number) => register(`ada${index}@example.com`);
    for (let index = 0; index < LIMIT + 20; index++) expect(await attempt(index)).to.equal('busy');
    isBusy = false;
    for (let index = 0; index < LIMIT; index++) expect(await attempt(index)).to.equal('no rejection');
    expect(await attempt(LIMIT)).to.equal('rate_limited');
  });

  it('refunds its rate limits when the account could not be stored', async () => {
    let isBroken = true;
    const insert: typeof parts.accounts.insert = (...given) =>
      isBroken ? Promise.reject(new AppError('unavailable')) : parts.accounts.insert(...given);
    const register = registering({ accounts: { ...parts.accounts, insert } });
    for (let index = 0; index < LIMIT + 20; index++) expect(await register('ada@example.com')).to.equal('unavailable');
    isBroken = false;
    expect(await register('ada@example.com')).to.equal('no rejection');
    expect((await parts.accounts.findByEmail('ada@example.com'))!.mails, 'its mail').to.have.length(1);
  });
});
