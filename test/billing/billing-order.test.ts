// Stripe events in any order, repeated, lost, or delivered to two processes at the same time. The tier must always
// follow Stripe's final state.
import { expect } from 'chai';
import fc from 'fast-check';
import pLimit from 'p-limit';
import type { ApiEvent } from '../../scripts/fake-stripe/objects.js';
import type { Account, AccountId } from '../../src/accounts/account.js';
import type { Tier } from '../../src/accounts/plan.js';
import { AppError } from '../../src/platform/errors.js';
import { openTestAccounts, PASSWORD_HASH, someClient, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { clockAt, DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from '../support/clock.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { temporaryDir } from '../support/temporary.js';

const SECRET = 'whsec_of_the_order';

/** Changes of a subscription at Stripe. Each change causes events. */
const LIFE = {
  change: (stripe: FakeStripe, id: string) => stripe.changePrice(id, 'price_enterprise_month'),
  fail: (stripe: FakeStripe, id: string) => stripe.failPayment(id),
  pay: (stripe: FakeStripe, id: string) => stripe.pay(id),
  unpaid: (stripe: FakeStripe, id: string) => stripe.markUnpaid(id),
  cancelLater: (stripe: FakeStripe, id: string) => stripe.cancelInPortal(id),
  cancel: (stripe: FakeStripe, id: string) => stripe.cancelNow(id),
} as const;

type Step = { readonly happens: keyof typeof LIFE } | { readonly delivers: number; readonly to: 0 | 1 };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ happens: fc.constantFrom(...(Object.keys(LIFE) as (keyof typeof LIFE)[])) }) },
    { weight: 3, arbitrary: fc.record({ delivers: fc.nat(30), to: fc.constantFrom(0 as const, 1 as const) }) },
  ),
  { minLength: 4, maxLength: 30 },
);

describe('events of Stripe', () => {
  let clock: Clock;
  let stripe: FakeStripe;
  let folder: ReturnType<typeof temporaryDir>;
  let processes: readonly [TestAccounts, TestAccounts];
  before(async () => {
    clock = clockAt(Date.UTC(2026, 4, 1, 12));
    stripe = await startFakeStripe({ now: clock.now });
    folder = temporaryDir();
    const open = () => openTestAccounts({ now: clock.now, dataDir: folder.path, variables: sellPlans(stripe, SECRET) });
    processes = [await open(), await open()];
  });
  after(async () => {
    for (const process of processes) await process.close();
    await stripe.close();
    folder.remove();
  });

  /** Buys this many subscriptions, at most five at the same time. */
  const boughtBy = (count: number) => pLimit(5).map(Array.from({ length: count }), () => bought());

  async function bought(): Promise<{
    readonly account: Account;
    readonly subscription: string;
    readonly first: number;
  }> {
    const [one] = processes;
    const { account } = someAccount({ passwordHash: PASSWORD_HASH, at: clock.date() });
    await one.accounts.insert(account);
    const first = stripe.events.length;
    const requester = {
      accountId: account.id,
      by: someClient().actor,
      proof: { kind: 'key', keyHash: account.key!.hash },
    } as const;
    const page = await one.purchases.checkout(requester, { plan: 'pro', interval: 'month' });
    return { account, subscription: stripe.completeCheckout(page.id).id, first };
  }

  async function deliver(event: ApiEvent, to: 0 | 1): Promise<void> {
    const payload = JSON.stringify(event);
    const signature = stripe.client().webhooks.generateTestHeaderString({
      payload,
      secret: SECRET,
      timestamp: Math.floor(clock.now() / 1000),
    });
    await processes[to].paymentEventProcessing.receive(Buffer.from(payload), signature);
  }

  /** Resolves to false if the work fails because a busy database exceeds its time limit. */
  const isDone = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
        return false;
      },
    );

  async function settle(): Promise<void> {
    for (const { paymentEventProcessing } of processes) await isDone(paymentEventProcessing.drain());
  }

  /** Resolves when all events are processed. Advances the clock until failed events are due again. */
  const settled = () =>
    eventually(async () => {
      await settle();
      if ((await processes[0].paymentEvents.unfinished()) === 0) return true;
      clock.advance(10 * SECOND_MS);
      return false;
    }, 'end of all events');

  const tierOf = async (id: AccountId): Promise<Tier | undefined> => (await processes[1].accounts.find(id))?.tier;

  function tierByStripe(id: string): Tier {
    const { status, items } = stripe.subscription(id);
    const plan = items.data[0]?.price.id.startsWith('price_enterprise') === true ? 'enterprise' : 'pro';
    // Statuses with which the plan applies. With any other status, the subscription is unpaid or has ended.
    return ['active', 'trialing', 'past_due'].includes(status) ? plan : 'free';
  }

  it("lead to Stripe's tier once the last one has arrived, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const { account, subscription, first } = await bought();
        const pending: Promise<void>[] = [];
        for (const step of chosen) {
          if ('happens' in step) happen(step.happens, subscription);
          else {
            const events = stripe.events.slice(first);
            pending.push(deliver(events[step.delivers % events.length]!, step.to));
          }
        }
        pending.push(deliver(stripe.events.at(-1)!, 0));
        await Promise.all(pending);
        await settled();
        expect(await tierOf(account.id)).to.equal(tierByStripe(subscription));
      }),
      { numRuns: 40 },
    );
  });

  it('are replaced by the daily sync if all are lost', async () => {
    const all = await boughtBy(20);
    for (const [index, { subscription }] of all.entries()) if (index % 2 === 0) stripe.cancelNow(subscription);
    clock.advance(DAY_MS);
    await eventually(async () => {
      const outcomes = await Promise.all(processes.map(({ billing }) => isDone(billing.settleDue())));
      if (outcomes.every(Boolean)) return true;
      clock.advance(10 * MINUTE_MS);
      return false;
    }, 'sync of all accounts');
    for (const { account, subscription } of all) expect(await tierOf(account.id)).to.equal(tierByStripe(subscription));
  });

  it('wait while Stripe is unavailable, and are processed soon after its return', async () => {
    const all = await boughtBy(50);
    stripe.down();
    const events = stripe.events.slice(all[0]!.first);
    for (const [index, event] of events.entries()) await deliver(event, index % 2 === 0 ? 0 : 1);
    await settle();
    expect(await processes[0].paymentEvents.unfinished()).to.be.above(0);
    stripe.up();
    await settled();
    for (const { account } of all) expect(await tierOf(account.id)).to.equal('pro');
  });

  function happen(what: keyof typeof LIFE, id: string): void {
    try {
      LIFE[what](stripe, id);
    } catch {
      // Stripe rejects this change in the current state of the subscription.
    }
  }
});
