// `npm run billing`: sync with Stripe, list of events, and events that are processed again.
import { expect } from 'chai';
import { setCustomer } from '../../src/accounts/changes/billing.js';
import type { AccountId } from '../../src/accounts/account.js';
import { openTestAccounts, type TestAccounts } from '../support/account-services.js';
import { rejected, runCli } from '../support/cli.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { temporaryDir } from '../support/temporary.js';

const [ADA, BOB, EVE] = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
const BY = { kind: 'system', address: null } as const;
const AT = new Date(Date.UTC(2026, 4, 1, 12));

describe('npm run billing', () => {
  let stripe: FakeStripe;
  let folder: ReturnType<typeof temporaryDir>;
  let parts: TestAccounts;
  let variables: Record<string, string>;
  beforeEach(async () => {
    stripe = await startFakeStripe();
    folder = temporaryDir();
    parts = await openTestAccounts({ dataDir: folder.path });
    variables = { DATA_DIR: folder.path, PUBLIC_URL: 'https://icons.example', ...sellPlans(stripe, 'whsec_x') };
  });
  afterEach(async () => {
    await parts.close();
    await stripe.close();
    folder.remove();
  });

  const billing = (...words: string[]) => runCli('billing', words, variables);
  async function asJson(...words: string[]): Promise<unknown> {
    const { status, stdout, stderr } = await billing(...words, '--json');
    expect({ status, stderr }, words.join(' ')).to.deep.equal({ status: 0, stderr: '' });
    return JSON.parse(stdout);
  }
  async function create(email: string): Promise<AccountId> {
    const { account } = await parts.operator.create(email, 'free');
    await parts.operator.setTier(account.id, null);
    return account.id;
  }
  /** Creates an account with a customer at Stripe. The account does not know the customer's subscription. */
  async function createCustomer(email: string): Promise<{ readonly id: AccountId; readonly customerId: string }> {
    const id = await create(email);
    const { id: customerId } = await stripe.client().customers.create({ email });
    await parts.actors.run(id, BY, (account, at) => setCustomer(account, customerId, at));
    stripe.subscribe(customerId, 'price_pro_month');
    return { id, customerId };
  }
  const tierOf = async (id: AccountId) => (await parts.accounts.find(id))?.tier;

  it('sync reads the subscription of one account, or of all that have bought a plan', async () => {
    const [ada, bob] = [await createCustomer(ADA), await createCustomer(BOB)];
    await create(EVE);
    const leaving = await createCustomer('leaving@example.com');
    await parts.actors.run(leaving.id, BY, (one) => ({
      account: { ...one, deleting: true },
      facts: [],
      result: undefined,
    }));
    expect(await asJson('sync', ADA)).to.deep.equal({ email: ADA, tier: 'pro' });
    expect([await tierOf(ada.id), await tierOf(bob.id)]).to.deep.equal(['pro', 'free']);
    expect(await asJson('sync', '--all')).to.deep.equal({ synced: 2, changed: 1 });
    expect(await tierOf(bob.id)).to.equal('pro');
    expect(await asJson('sync', '--all')).to.deep.equal({ synced: 2, changed: 0 });
    expect(rejected(await billing('sync', EVE))).to.include(`${EVE} has never bought a plan.`);
    for (const words of [[], [ADA, '--all']])
      expect(rejected(await billing('sync', ...words))).to.include('Specify an account, or --all.');
  });

  it('events lists the latest events with their outcomes, optionally of one account', async () => {
    const { customerId } = await createCustomer(ADA);
    await create(EVE);
    const { paymentEvents } = parts;
    const add = (id: string, seconds: number, customer: string | null = customerId) =>
      paymentEvents.add(
        { id, type: 'invoice.paid', customerId: customer, createdAt: AT },
        new Date(AT.getTime() + seconds * 1000),
      );
    await add('evt_waiting', 5);
    await add('evt_failed', 4);
    await paymentEvents.postpone('evt_failed', { dueAt: AT, error: 'broken' });
    await add('evt_done', 3);
    await paymentEvents.finish('evt_done', AT);
    await add('evt_problem', 2, 'cus_other');
    await paymentEvents.finish('evt_problem', AT, 'no account has this customer');
    await add('evt_price', 1, null);
    const lines = async (...words: string[]) =>
      (await billing('events', ...words)).stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/));
    const [heading, ...rows] = await lines();
    expect(heading).to.deep.equal(['RECEIVED', 'EVENT', 'TYPE', 'CUSTOMER', 'OUTCOME']);
    expect(rows).to.deep.equal([
      ['2026-05-01 12:00:05', 'evt_waiting', 'invoice.paid', customerId, 'waiting'],
      ['2026-05-01 12:00:04', 'evt_failed', 'invoice.paid', customerId, 'tried 1 times: broken'],
      ['2026-05-01 12:00:03', 'evt_done', 'invoice.paid', customerId, 'done'],
      ['2026-05-01 12:00:02', 'evt_problem', 'invoice.paid', 'cus_other', 'no account has this customer'],
      ['2026-05-01 12:00:01', 'evt_price', 'invoice.paid', '-', 'done'],
      ['Not finished: 2.'],
    ]);
    const ids = async (...words: string[]) =>
      ((await asJson('events', ...words)) as { readonly events: { readonly id: string }[] }).events.map(({ id }) => id);
    expect(await ids('--limit', '2')).to.deep.equal(['evt_waiting', 'evt_failed']);
    expect(await ids('--account', ADA)).to.deep.equal(['evt_waiting', 'evt_failed', 'evt_done']);
    expect(rejected(await billing('events', '--account', EVE))).to.include(`${EVE} has never bought a plan.`);
  });

  it('replay processes a finished event again', async () => {
    const { id, customerId } = await createCustomer(ADA);
    await parts.paymentEvents.add({ id: 'evt_1', type: 'invoice.paid', customerId, createdAt: AT }, AT);
    await parts.paymentEvents.finish('evt_1', AT);
    expect(await asJson('replay', 'evt_1')).to.deep.equal({ finished: 1, unfinished: 0 });
    expect(await tierOf(id)).to.equal('pro');
    expect(rejected(await billing('replay', 'evt_none'))).to.include('There is no event "evt_none".');
  });

  it('needs Stripe to sync and to replay', async () => {
    await create(ADA);
    variables = { DATA_DIR: folder.path, PUBLIC_URL: 'https://icons.example' };
    for (const words of [
      ['sync', ADA],
      ['replay', 'evt_1'],
    ])
      expect(rejected(await billing(...words))).to.include('Billing is not configured. Set STRIPE_SECRET_KEY.');
  });
});
