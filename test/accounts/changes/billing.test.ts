// Changes of an account's billing fields: Stripe customer, subscription, and the time of the next request to Stripe.
import { expect } from 'chai';
import type { Account, AccountBilling } from '../../../src/accounts/account.js';
import {
  billingDueAt,
  isWatched,
  noteBillingPage,
  postponeSync,
  setCustomer,
  setOperatorTier,
  setSubscription,
  watchSubscription,
} from '../../../src/accounts/changes/billing.js';
import type { Subscription } from '../../../src/accounts/subscription.js';
import { someAccount } from '../../support/accounts.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../support/clock.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const later = (ms: number) => new Date(AT.getTime() + ms);
const PRO: Subscription = {
  id: 'sub_1',
  plan: 'pro',
  interval: 'month',
  status: 'active',
  currentPeriodEnd: later(30 * DAY_MS),
  endsAt: null,
  pastDueSince: null,
  collectionPause: null,
};
const BILLING: AccountBilling = {
  customerId: 'cus_1',
  subscription: PRO,
  syncedAt: later(-HOUR_MS),
  retryAt: null,
  watchedUntil: null,
};
const owner = (billing: Partial<AccountBilling> | null = {}, more: Partial<Account> = {}): Account => ({
  ...someAccount({ at: AT }).account,
  mails: [],
  tier: billing === null ? 'free' : 'pro',
  billing: billing === null ? null : { ...BILLING, ...billing },
  ...more,
});

describe('a customer of the payment provider', () => {
  it('is stored without purchases, and setting it again changes nothing', () => {
    const before = owner(null);
    const { account, facts } = setCustomer(before, 'cus_1', AT);
    expect({ account, facts }).to.deep.equal({
      account: {
        ...before,
        billing: { customerId: 'cus_1', subscription: null, syncedAt: AT, retryAt: null, watchedUntil: null },
      },
      facts: [],
    });
    expect(setCustomer(account, 'cus_1', later(1)).account).to.equal(account);
  });

  it('has bought nothing if it replaces another customer, which is recorded and mailed', () => {
    const { account, facts } = setCustomer(owner(), 'cus_2', AT);
    expect(account).to.have.property('tier', 'free');
    expect(account.billing).to.include({ customerId: 'cus_2', subscription: null });
    expect(account.mails.map(({ kind }) => kind)).to.deep.equal(['subscription-changed']);
    expect(facts).to.deep.equal([
      {
        type: 'user_updated',
        detail: { subscription: 'removed', plan: 'pro', interval: 'month', status: 'active', endsOn: null },
      },
      { type: 'authz_change', detail: { from: 'pro', to: 'free', source: 'none' } },
    ]);
  });
});

describe('a report of a subscription', () => {
  const outdated = { isEmailOutdated: true, retryAt: later(-MINUTE_MS) };
  for (const [what, before, isEmailTold, rest] of [
    ['is the last one asked for', { retryAt: later(MINUTE_MS) }, undefined, { retryAt: null }],
    ['leaves an address to be told', outdated, undefined, outdated],
    ['leaves an address to be told that was not', outdated, false, outdated],
    ['leaves no address to be told that was', outdated, true, { retryAt: null }],
  ] as const)
    it(what, () => {
      const { account } = setSubscription(owner(before), 'cus_1', {
        subscription: PRO,
        at: AT,
        ...(isEmailTold !== undefined && { isEmailTold }),
      });
      expect(account.billing).to.deep.equal({
        customerId: 'cus_1',
        subscription: PRO,
        syncedAt: AT,
        watchedUntil: null,
        ...rest,
      });
    });

  it('ends the watch only if something changed', () => {
    const watched = owner({ watchedUntil: later(MINUTE_MS) });
    const after = (subscription: Subscription | null) =>
      setSubscription(watched, 'cus_1', { subscription, at: AT }).account.billing?.watchedUntil;
    expect(after(PRO)).to.deep.equal(later(MINUTE_MS));
    expect(after({ ...PRO, endsAt: later(DAY_MS) })).to.equal(null);
    expect(after(null)).to.equal(null);
  });

  it('dates a missing payment from its first report, and never dates a paid one', () => {
    const since = later(-DAY_MS);
    const missing: Subscription = { ...PRO, status: 'past_due', pastDueSince: since };
    const dated = (before: Subscription | null, subscription: Subscription) =>
      setSubscription(owner({ subscription: before }), 'cus_1', { subscription, at: AT }).account.billing?.subscription
        ?.pastDueSince;
    expect(dated(missing, { ...missing, pastDueSince: null })).to.deep.equal(since);
    expect(dated(missing, { ...missing, id: 'sub_2', pastDueSince: null })).to.deep.equal(AT);
    expect(dated(null, { ...missing, pastDueSince: null })).to.deep.equal(AT);
    expect(dated(PRO, { ...missing, pastDueSince: null })).to.deep.equal(AT);
    expect(dated(missing, { ...PRO, pastDueSince: since })).to.equal(null);
  });

  for (const [what, before, after, changes] of [
    ['a first payment that is missing', null, { status: 'incomplete' }, []],
    ['the first payment', { status: 'incomplete' }, {}, ['new']],
    ['one bought anew after its end', { status: 'canceled' }, {}, ['new']],
    ['one with another id', {}, { id: 'sub_2' }, ['new']],
    ['one that has ended, with another id', {}, { id: 'sub_2', status: 'canceled' }, ['removed']],
    ['another one that has ended', { status: 'canceled' }, { id: 'sub_2', status: 'canceled' }, []],
    ['none any more', {}, null, ['removed']],
    ['none any more, after its end', { status: 'canceled' }, null, []],
    [
      'another plan, interval and end',
      {},
      { plan: 'enterprise', interval: 'year', endsAt: later(1) },
      ['plan', 'canceled'],
    ],
    ['another interval', {}, { interval: 'year' }, ['plan']],
    ['another end', { endsAt: later(1) }, { endsAt: later(2) }, ['canceled']],
    ['no end any more', { endsAt: later(1) }, {}, ['resumed']],
    ['its end', { endsAt: later(1) }, { endsAt: later(2), status: 'canceled' }, ['status']],
    ['another status', {}, { status: 'unpaid' }, ['status']],
    ['a renewal', {}, { currentPeriodEnd: later(60 * DAY_MS) }, []],
  ] as const)
    it(`is recorded and mailed if it changes something: ${what}`, () => {
      const subscriptionOf = (fields: Partial<Subscription> | null) => fields && { ...PRO, ...fields };
      const { account, facts } = setSubscription(owner({ subscription: subscriptionOf(before) }), 'cus_1', {
        subscription: subscriptionOf(after),
        at: AT,
      });
      const recorded = facts.flatMap(({ type, detail }) => (type === 'user_updated' ? [detail?.subscription] : []));
      expect(recorded).to.deep.equal(changes);
      expect(account.mails.map(({ kind, dueAt }) => [kind, dueAt])).to.deep.equal(
        changes.length === 0 ? [] : [['subscription-changed', AT]],
      );
    });
});

describe('the watch of a subscription', () => {
  const watchedUntil = (leftMs: number | null, change = watchSubscription) =>
    change(owner({ watchedUntil: leftMs === null ? null : later(leftMs) }), AT).account.billing?.watchedUntil;

  it('lasts ten minutes, and is renewed after it ends or if its time is in the future', () => {
    const renewed = later(10 * MINUTE_MS);
    expect([null, -1, 0, 9 * MINUTE_MS, 10 * MINUTE_MS + 1].map((left) => watchedUntil(left))).to.deep.equal(
      Array(5).fill(renewed),
    );
    expect(watchedUntil(9 * MINUTE_MS + 1)).to.deep.equal(later(9 * MINUTE_MS + 1));
    const kept = owner({ watchedUntil: later(10 * MINUTE_MS) });
    expect(watchSubscription(kept, AT).account).to.equal(kept);
  });

  it('only exists for customers', () => {
    const none = owner(null);
    expect(watchSubscription(none, AT)).to.deep.equal({ account: none, facts: [], result: undefined });
    expect(watchSubscription(none, AT).account).to.equal(none);
    expect(isWatched(none, AT)).to.equal(false);
  });

  it("starts when a provider's page is opened, which is mailed and recorded once in ten minutes", () => {
    expect(watchedUntil(null, noteBillingPage)).to.deep.equal(later(10 * MINUTE_MS));
    const first = noteBillingPage(owner(), AT);
    expect(first.facts).to.deep.equal([{ type: 'sensitive_read', detail: { page: 'billing' } }]);
    const again = noteBillingPage(first.account, later(10 * MINUTE_MS - 1));
    expect(again.facts).to.deep.equal([]);
    expect(again.account.mails).to.deep.equal(first.account.mails);
    expect(again.account.billing?.watchedUntil, 'watched again').to.deep.equal(later(20 * MINUTE_MS - 1));
    expect(noteBillingPage(first.account, later(10 * MINUTE_MS)).facts).to.have.length(1);
  });
});

describe('the next report of a subscription', () => {
  const due = (billing: Partial<AccountBilling>, more: Partial<Account> = {}) => billingDueAt(owner(billing, more));
  const ending = { ...PRO, endsAt: later(MINUTE_MS) };

  it('is due a day after the last one, at a retry, or at the end of the plan', () => {
    expect(due({})).to.deep.equal(later(DAY_MS - HOUR_MS));
    expect(due({ retryAt: later(2 * DAY_MS) })).to.deep.equal(later(2 * DAY_MS));
    expect(due({ subscription: ending })).to.deep.equal(later(MINUTE_MS));
    expect(due({ subscription: ending, retryAt: later(1) })).to.deep.equal(later(1));
    expect(due({ subscription: ending }, { operatorTier: 'pro' })).to.deep.equal(later(DAY_MS - HOUR_MS));
    expect(billingDueAt(owner(null))).to.equal(undefined);
  });

  it('is postponed without changing the known subscription, and the tier follows the clock', () => {
    const { account, facts } = postponeSync(owner({ subscription: ending }), later(HOUR_MS), later(MINUTE_MS));
    expect(account.billing).to.deep.equal({ ...BILLING, subscription: ending, retryAt: later(HOUR_MS) });
    expect(account.tier).to.equal('free');
    expect(facts).to.deep.equal([{ type: 'authz_change', detail: { from: 'pro', to: 'free', source: 'none' } }]);
    const none = owner(null);
    expect(postponeSync(none, later(HOUR_MS), AT).account).to.equal(none);
  });
});

describe("the operator's tier", () => {
  it('is recorded whenever it is set, even if the effective tier stays', () => {
    const bought = owner();
    for (const [account, tier, from, to, source] of [
      [bought, 'enterprise', 'pro', 'enterprise', 'operator'],
      [bought, 'pro', 'pro', 'pro', 'operator'],
      [owner({}, { operatorTier: 'pro' }), null, 'pro', 'pro', 'stripe'],
      [owner(null, { operatorTier: 'pro', tier: 'pro' }), null, 'pro', 'free', 'none'],
      [owner(null, { tier: 'pro' }), null, 'pro', 'free', 'none'],
    ] as const) {
      const change = setOperatorTier(account, tier, AT);
      expect(change.account).to.deep.equal({ ...account, tier: to, operatorTier: tier });
      expect(change.facts).to.deep.equal([{ type: 'authz_change', detail: { from, to, source } }]);
    }
  });

  it('is not recorded if it is the same', () => {
    for (const [account, tier] of [
      [owner({}, { operatorTier: 'enterprise', tier: 'enterprise' }), 'enterprise'],
      [owner(), null],
    ] as const) {
      const change = setOperatorTier(account, tier, AT);
      expect(change.account).to.equal(account);
      expect(change.facts).to.deep.equal([]);
    }
  });

  it('outlives the subscription that it overrides', () => {
    const above = owner({}, { operatorTier: 'internal', tier: 'internal' });
    const { account, facts } = setSubscription(above, 'cus_1', { subscription: null, at: AT });
    expect(account).to.include({ tier: 'internal', operatorTier: 'internal' });
    expect(facts.map(({ type }) => type)).to.deep.equal(['user_updated']);
  });
});
