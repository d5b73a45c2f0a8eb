// Deletion of an account: first its customer at the payment provider, then the account, then a mail.
import { expect } from 'chai';
import { deleteAccount } from '../../src/accounts/account-deletion.js';
import type { Account } from '../../src/accounts/account.js';
import type { Reauthentication } from '../../src/accounts/changes/reauthentication.js';
import { billingOffError } from '../../src/platform/errors.js';
import type { Mail } from '../../src/platform/mail/mailer.js';
import { openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { billingOf, someSignedIn } from '../support/accounts.js';

const BY = { kind: 'customer', address: '192.0.2.0/24' } as const;

describe('deleting an account', () => {
  let parts: TestAccounts;
  let mails: (readonly [string, Mail])[];
  /** Customers that the payment provider was asked to delete, and whether the account still existed then. */
  let asked: (readonly [string, boolean])[];
  beforeEach(async () => {
    parts = await openTestAccounts({ mails: 'by the job' });
    [mails, asked] = [[], []];
  });
  afterEach(() => parts.close());

  async function remove(
    billing: Account['billing'],
    {
      isConfigured = true,
      proof,
    }: { readonly isConfigured?: boolean; readonly proof?: Partial<Reauthentication> | 'none' } = {},
  ) {
    const { account, proof: right } = someSignedIn();
    await parts.accounts.insert({ ...account, billing });
    const payments = {
      isConfigured,
      closeCheckouts: () => expect.fail('deleteCustomer also closes the checkouts'),
      async deleteCustomer(customerId: string) {
        asked.push([customerId, (await parts.accounts.find(account.id))?.deleting === false]);
        if (!isConfigured) throw billingOffError();
      },
    };
    const unstoredMails = { send: (id: string, mail: Mail) => void mails.push([id, mail]) };
    const outcome = await rejection(
      deleteAccount(
        { ...parts, payments, unstoredMails },
        account.id,
        BY,
        proof === 'none' ? undefined : { ...right, ...proof },
      ),
    );
    const { id, email } = account;
    return { outcome, id, email, isGone: (await parts.accounts.find(id)) === undefined };
  }

  it('deletes the customer first, even one without a subscription', async () => {
    for (const billing of [billingOf('1'), { ...billingOf('1'), subscription: null }]) {
      asked = [];
      expect(await remove(billing)).to.include({ outcome: 'no rejection', isGone: true });
      expect(asked).to.deep.equal([['cus_1', true]]);
    }
    asked = [];
    expect(await remove(null)).to.include({ outcome: 'no rejection', isGone: true });
    expect(asked).to.deep.equal([]);
  });

  it('fails without billing only for a customer who may still be charged', async () => {
    const { outcome, isGone, id } = await remove(billingOf('1'), { isConfigured: false });
    expect([outcome, isGone]).to.deep.equal(['billing_unavailable', false]);
    expect((await parts.accounts.find(id))?.deleting).to.equal(false);
    expect(mails).to.deep.equal([]);
    asked = [];
    const ended = await remove(billingOf('2', { status: 'canceled' }), { isConfigured: false });
    expect([ended.outcome, ended.isGone, asked]).to.deep.equal(['no rejection', true, []]);
  });

  it('asks no payment provider if the password has changed or the session has ended', async () => {
    expect((await remove(billingOf('1'), { proof: { passwordVersion: 2 } })).outcome).to.equal('invalid_credentials');
    expect([asked, mails]).to.deep.equal([[], []]);
  });

  it('is mailed to the address of the account, and recorded', async () => {
    const { id, email } = await remove(null);
    const [to, { text, to: address }] = mails[0]!;
    expect([to, address]).to.deep.equal([id, email]);
    expect(text).to.include('as requested').and.include('https://icons.example');
    expect((await parts.audit.read(id, { limit: 9 })).map(({ type, by }) => [type, by])).to.deep.equal([
      ['user_deleted', BY],
    ]);
    await remove(null, { proof: 'none' });
    expect(mails[1]?.[1].text).to.include('The operator of this service deleted your account.');
  });
});
