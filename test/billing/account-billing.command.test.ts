// `npm run account` for accounts with a Stripe customer: open checkouts, and a payment provider that does not respond.
import { expect } from 'chai';
import { readEnv } from '../../config/env.js';
import { openPayments, type BillingEnv } from '../../src/billing/open.js';
import { setCustomer, setSubscription } from '../../src/accounts/changes/billing.js';
import type { AccountId } from '../../src/accounts/account.js';
import { billingOf } from '../support/accounts.js';
import { openTestAccounts, type TestAccounts } from '../support/account-services.js';
import { eventually } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { temporaryDir } from '../support/temporary.js';

const EMAIL = 'ada@example.com';
const BY = { kind: 'system', address: null } as const;

describe('npm run account, billing', () => {
  let stripe: FakeStripe;
  let folder: ReturnType<typeof temporaryDir>;
  let parts: TestAccounts;
  let variables: Record<string, string>;
  let accountId: AccountId;
  let customerId: string;
  beforeEach(async () => {
    stripe = await startFakeStripe();
    folder = temporaryDir();
    parts = await openTestAccounts({ dataDir: folder.path });
    variables = { DATA_DIR: folder.path, PUBLIC_URL: 'https://icons.example', ...sellPlans(stripe, 'whsec_x') };
    const { account } = await parts.operator.create(EMAIL, 'free');
    await parts.operator.setTier(account.id, null);
    accountId = account.id;
    const payments = await openCheckout();
    customerId = payments.customerId;
  });
  afterEach(async () => {
    await parts.close();
    await stripe.close();
    folder.remove();
  });

  async function openCheckout() {
    const env: BillingEnv = readEnv(variables, '0.0.0');
    const payments = await openPayments(env, Date.now, (error) => expect.fail(String(error)));
    const id = await payments.createCustomer({ accountId, email: EMAIL }, 'one');
    await parts.actors.run(accountId, BY, (account, at) => setCustomer(account, id, at));
    await payments.checkout({ customerId: id, accountId }, { plan: 'pro', interval: 'month' });
    return { customerId: id };
  }
  const account = (...words: string[]) => runCli('account', words, variables);
  const statuses = () => stripe.sessions().map(({ status }) => status);

  it('suspend and set-tier close open checkouts; set-tier none does not', async () => {
    expect(statuses()).to.deep.equal(['open']);
    expect(await account('set-tier', EMAIL, 'none')).to.include({ status: 0, stderr: '' });
    expect(statuses()).to.deep.equal(['open']);
    expect(await account('set-tier', EMAIL, 'pro')).to.include({ status: 0, stderr: '' });
    expect(statuses()).to.deep.equal(['expired']);
    await openCheckout();
    expect(statuses()).to.have.members(['open', 'expired']);
    expect(await account('suspend', EMAIL)).to.include({ status: 0, stderr: '' });
    expect(statuses()).to.deep.equal(['expired', 'expired']);
  });

  it('set-tier none names who decides the tier, and suspend warns of a subscription that continues', async () => {
    const { subscription } = billingOf('1');
    const bought = (given: Partial<NonNullable<typeof subscription>>) =>
      parts.actors.run(accountId, BY, (found, at) =>
        setSubscription(found, customerId, { subscription: { ...subscription!, ...given }, at }),
      );
    await bought({});
    await account('set-tier', EMAIL, 'internal');
    expect((await account('set-tier', EMAIL, 'none')).stdout).to.include(
      `${EMAIL} now has the tier pro, decided by its subscription.\n`,
    );
    expect((await account('suspend', EMAIL)).stderr).to.equal(
      'The subscription sub_1 continues and is still charged. To end it, cancel it in Stripe.\n',
    );
    await bought({ status: 'canceled' });
    expect((await account('suspend', EMAIL)).stderr).to.equal('');
  });

  for (const [words, stdout] of [
    [['set-tier', EMAIL, 'pro'], `${EMAIL} now has the tier pro.\n`],
    [['suspend', EMAIL], `${EMAIL} is suspended.\n`],
  ] as const)
    it(`${words[0]} applies without the payment provider, and names the customer with open checkouts`, async () => {
      stripe.down();
      const result = await account(...words);
      expect(result.status).to.equal(0);
      expect(result.stdout)
        .to.match(/^.+\nService: http\S+, with its data in .+\n$/)
        .and.include(stdout);
      expect(result.stderr).to.equal(
        `Open checkouts of the Stripe customer ${customerId} could not be closed and can still be paid: ` +
          'The payment provider does not respond right now. Run this command again, or close them in Stripe.\n',
      );
      expect(statuses()).to.deep.equal(['open']);
      stripe.up();
      await eventually(async () => (await account(...words)).stderr === '', 'Stripe to be asked again');
      expect(statuses()).to.deep.equal(['expired']);
    });
});
