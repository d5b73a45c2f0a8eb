// A process that is killed between storing a Stripe event and processing it.
import { expect } from 'chai';
import { openBackend } from '../support/backend.js';
import { eventually } from '../support/auth.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { startService } from '../support/service-process.js';
import { someAccount } from '../support/accounts.js';
import { temporaryDir } from '../support/temporary.js';
import type { TestBackend } from '../support/test-backend.js';

const SECRET = 'whsec_of_the_crash';

describe('an event of Stripe', () => {
  let stripe: FakeStripe;
  let backend: TestBackend;
  let remove: () => void;
  let variables: Record<string, string>;
  beforeEach(async () => {
    stripe = await startFakeStripe();
    const folder = temporaryDir();
    ({ remove } = folder);
    backend = await openBackend(folder.path, { now: Date.now, catalog: 'sample' });
    variables = { ...backend.variables, ...sellPlans(stripe, SECRET), DATA_DIR: folder.path, LOG_LEVEL: 'warn' };
  });
  afterEach(async () => {
    await stripe.close();
    await backend.close();
    remove();
  });

  it('is processed after a restart if it was acknowledged before its process was killed', async () => {
    const { account, apiKey } = someAccount();
    await backend.stores.accounts.insert(account);
    const first = await startService(variables);
    const response = await fetch(`${first.base}/v1/billing/checkout`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ plan: 'pro', interval: 'year' }),
    });
    stripe.completeCheckout(((await response.json()) as { readonly id: string }).id);
    stripe.down();
    for (const event of stripe.events)
      expect((await stripe.deliver(event, `${first.base}/v1/billing/webhook`, { secret: SECRET })).status).to.equal(
        200,
      );
    first.child.kill('SIGKILL');
    await first.exit;
    stripe.up();
    expect((await backend.stores.accounts.find(account.id))!.tier).to.equal('free');

    const second = await startService(variables);
    // The killed process had claimed the event. Another process can claim the event after half a minute.
    await eventually(
      async () => (await backend.stores.accounts.find(account.id))!.tier === 'pro',
      'tier that was paid for',
    );
    await eventually(
      async () => (await backend.stores.paymentEvents.latest({ limit: 10 })).some(({ finishedAt }) => finishedAt),
      'finished event',
    );
    second.child.kill('SIGTERM');
    expect(await second.exit).to.equal(0);
  });
});
