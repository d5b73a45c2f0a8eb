// Rate limits of registration, and their refunds.
import { expect } from 'chai';
import { AppError } from '../../../../src/errors.js';
import { createRegistration } from '../../../../src/services/accounts/registration.js';
import { openTestAccounts, PASSWORD, PASSWORD_HASH, rejection, someClient } from '../../../support/account-services.js';

const LIMIT = 100;
const verified = {
  request: () => expect.fail('registration is open'),
  open: () => expect.fail('registration is open'),
};

describe('registration', () => {
  it('refunds its rate limit when too many passwords are being hashed', async () => {
    const parts = await openTestAccounts();
    let isBusy = true;
    const passwords = {
      assertGood: () => undefined,
      hash: async () => {
        if (isBusy) throw new AppError('busy');
        return PASSWORD_HASH;
      },
    };
    const service = createRegistration({
      ...parts,
      passwords,
      onChange: () => undefined,
      now: Date.now,
      registration: 'open',
      verified,
    });
    const client = someClient();
    const attempt = (index: number) =>
      rejection(service.register({ email: `ada${index}@example.com`, password: PASSWORD, client }));
    for (let index = 0; index < LIMIT + 20; index++) expect(await attempt(index)).to.equal('busy');
    isBusy = false;
    for (let index = 0; index < LIMIT; index++) expect(await attempt(index)).to.equal('no rejection');
    expect(await attempt(LIMIT)).to.equal('rate_limited');
    await parts.close();
  });

  it('refunds its rate limits when the account could not be stored', async () => {
    const parts = await openTestAccounts();
    let isBroken = true;
    const accounts = {
      ...parts.accounts,
      insert: (...given: Parameters<typeof parts.accounts.insert>) =>
        isBroken ? Promise.reject(new AppError('unavailable')) : parts.accounts.insert(...given),
    };
    const service = createRegistration({
      ...parts,
      accounts,
      passwords: { assertGood: () => undefined, hash: async () => PASSWORD_HASH },
      onChange: () => undefined,
      now: Date.now,
      registration: 'open',
      verified,
    });
    const client = someClient();
    const attempt = () => rejection(service.register({ email: 'ada@example.com', password: PASSWORD, client }));
    for (let index = 0; index < LIMIT + 20; index++) expect(await attempt()).to.equal('unavailable');
    isBroken = false;
    expect(await attempt()).to.equal('no rejection');
    expect((await parts.accounts.findByEmail('ada@example.com'))!.mails, 'its mail').to.have.length(1);
    await parts.close();
  });
});
