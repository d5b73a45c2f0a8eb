// What every AccountStore promises.
import { expect } from 'chai';
import type { AccountStore } from '../../src/ports/account-store.js';
import { someAccount } from '../support/accounts.js';

export interface AccountStoreUnderTest {
  readonly store: AccountStore;
  readonly close: () => void | Promise<void>;
}

export function accountStoreContract(family: string, open: () => AccountStoreUnderTest | Promise<AccountStoreUnderTest>): void {
  describe(`AccountStore, ${family}`, () => {
    let under: AccountStoreUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    it('takes an account once', async () => {
      const { account } = someAccount({ email: 'Ada@Example.com' });
      expect(await under.store.insert(account)).to.equal('inserted');
      expect(await under.store.insert(someAccount({ email: 'ada@example.COM' }).account)).to.equal('email_taken');
    });

    it('takes exactly one of many with the same identity', async () => {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => under.store.insert(someAccount({ email: 'same@example.com' }).account)));
      expect(outcomes.filter((outcome) => outcome === 'inserted')).to.have.length(1);
    });

    it('tells composed and decomposed spellings as one', async () => {
      expect(await under.store.insert(someAccount({ email: 'jos\u00e9@example.com' }).account)).to.equal('inserted');
      expect(await under.store.insert(someAccount({ email: 'jose\u0301@example.com' }).account)).to.equal('email_taken');
    });
  });
}
