// What registering costs of the budget of an address.
import { expect } from 'chai';
import { AppError } from '../../src/errors.js';
import { registration } from '../../src/services/registration.js';
import { openTestAccounts, PASSWORD, PASSWORD_HASH, refusal, someClient } from '../support/account-services.js';

const LIMIT = 100;

describe('registration', () => {
  it('gives back what it took when too many passwords are being hashed', async () => {
    const parts = openTestAccounts();
    let isBusy = true;
    const passwords = {
      assertGood: () => undefined,
      hash: async () => {
        if (isBusy) throw new AppError('busy');
        return PASSWORD_HASH;
      },
    };
    const service = registration({ ...parts, passwords, onChange: () => undefined, now: Date.now, registration: 'open' });
    const client = someClient();
    const attempt = (index: number) => refusal(service.register({ email: `ada${index}@example.com`, password: PASSWORD, client }));
    for (let index = 0; index < LIMIT + 20; index++) expect(await attempt(index)).to.equal('busy');
    isBusy = false;
    for (let index = 0; index < LIMIT; index++) expect(await attempt(index)).to.equal('no refusal');
    expect(await attempt(LIMIT)).to.equal('rate_limited');
    await parts.close();
  });
});
