// The tier of a subscription, and which of several subscriptions applies.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import {
  billingDueAt,
  isWatched,
  noteBillingPage,
  postponeSync,
  setCustomer,
  setOperatorTier,
  setSubscription,
} from '../../src/accounts/changes/billing.js';
import { tierAt, tierEndsAt, tierSource } from '../../src/accounts/tier.js';
import { auditText } from '../../src/accounts/audit-message.js';
import {
  chooseSubscription,
  isGranted,
  isOpen,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '../../src/accounts/subscription.js';
import { someAccount } from '../support/accounts.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../support/clock.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const some = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  plan: 'pro',
  interval: 'month',
  status: 'active',
  currentPeriodEnd: later(30 * DAY_MS),
  endsAt: null,
  pastDueSince: null,
  collectionPause: null,
  ...fields,
});
const sold = (subscription: Subscription | null, account: Account = someAccount({ at: AT }).account): Account =>
  setSubscription(setCustomer(account, 'cus_1', AT).account, 'cus_1', { subscription, at: AT }).account;

describe('a subscription', () => {
  it('counts as paid together with a second one unless it has ended or never began', () => {
    const open = SUBSCRIPTION_STATUSES.filter((status) => isOpen({ status }));
    expect(open).to.deep.equal(['trialing', 'active', 'past_due', 'unpaid', 'paused']);
  });

  it('ends no tier that the operator has set, though it is the same one', () => {
    const ending = sold(some({ endsAt: later(DAY_MS) }));
    const set = setOperatorTier(ending, 'pro', AT).account;
    expect([tierEndsAt(ending), tierEndsAt(set)]).to.deep.equal([later(DAY_MS), null]);
    expect([tierAt(ending, later(DAY_MS)), tierAt(set, later(DAY_MS))]).to.deep.equal(['free', 'pro']);
  });

  it('is watched for ten minutes, and ignores a time from a clock that was ahead', () => {
    const bought = sold(some());
    const watched = (untilMs: number) =>
      isWatched({ ...bought, billing: { ...bought.billing!, watchedUntil: later(untilMs) } }, AT);
    expect([0, 1, 10 * MINUTE_MS, 10 * MINUTE_MS + 1].map(watched)).to.deep.equal([false, true, true, false]);
  });

  it('has its own seven days if another one was past due before', () => {
    const before = sold(some({ status: 'past_due' }));
    const report = (id: string) =>
      setSubscription(before, 'cus_1', { subscription: some({ id, status: 'past_due' }), at: later(DAY_MS) }).account;
    expect(report('sub_1').billing?.subscription?.pastDueSince).to.deep.equal(AT);
    expect(report('sub_2').billing?.subscription?.pastDueSince).to.deep.equal(later(DAY_MS));
  });

  it('gives its plan while it is trialing, active, or past due for less than seven days', () => {
    const granted = SUBSCRIPTION_STATUSES.filter((status) => isGranted(some({ status, pastDueSince: AT }), AT));
    expect(granted).to.deep.equal(['trialing', 'active', 'past_due']);
    const missing = some({ status: 'past_due', pastDueSince: AT });
    expect([isGranted(missing, later(7 * DAY_MS - 1)), isGranted(missing, later(7 * DAY_MS))]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('gives its plan until the clock reaches its end, and never overrides the operator', () => {
    const graceEnd = later(7 * DAY_MS);
    for (const [subscription, end] of [
      [some(), null],
      [some({ endsAt: later(DAY_MS) }), later(DAY_MS)],
      [some({ status: 'past_due' }), graceEnd],
      [some({ status: 'past_due', endsAt: later(DAY_MS) }), later(DAY_MS)],
      [some({ status: 'past_due', endsAt: later(30 * DAY_MS) }), graceEnd],
    ] as const) {
      const account = sold(subscription);
      expect(tierEndsAt(account)).to.deep.equal(end);
      if (end) expect(tierAt(account, new Date(end.getTime() - 1))).to.equal('pro');
      expect(tierAt(account, end ?? later(1000 * DAY_MS))).to.equal(end ? 'free' : 'pro');
      const operators = setOperatorTier(account, 'enterprise', AT).account;
      expect(tierEndsAt(operators)).to.equal(null);
      expect(tierAt(operators, later(1000 * DAY_MS))).to.equal('enterprise');
    }
    // The stored tier does not match the subscription. A process with a wrong clock may have saved this tier.
    const canceled = { ...sold(some({ status: 'canceled' })), tier: 'pro' } as const;
    expect(tierAt(canceled, AT)).to.equal('free');
    expect(tierAt(someAccount().account, AT)).to.equal('free');
  });

  it('with an unknown price has no plan in any status, and ranks after one with a plan', () => {
    const other = some({ id: 'sub_other', plan: null, interval: null, currentPeriodEnd: later(90 * DAY_MS) });
    for (const status of SUBSCRIPTION_STATUSES)
      expect(isGranted({ ...other, status, pastDueSince: AT }, AT), status).to.equal(false);
    expect(sold(other)).to.include({ tier: 'free' });
    expect(tierSource(sold(other), AT)).to.equal('none');
    expect(chooseSubscription([some(), other], AT)?.id).to.equal('sub_1');
    expect(chooseSubscription([some({ status: 'canceled' }), other], AT)?.id, 'the open one').to.equal('sub_other');
  });

  it('gives it until it ends, and beyond its period if it renews', () => {
    const ending = some({ endsAt: later(DAY_MS) });
    expect([isGranted(ending, later(DAY_MS - 1)), isGranted(ending, later(DAY_MS))]).to.deep.equal([true, false]);
    expect(isGranted(some(), later(31 * DAY_MS))).to.equal(true);
    const both = some({ status: 'past_due', pastDueSince: AT, endsAt: later(HOUR_MS) });
    expect([isGranted(both, later(HOUR_MS - 1)), isGranted(both, later(HOUR_MS))]).to.deep.equal([true, false]);
    const endingLater = { ...both, endsAt: later(30 * DAY_MS) };
    expect([isGranted(endingLater, later(7 * DAY_MS - 1)), isGranted(endingLater, later(7 * DAY_MS))]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('is chosen from several: granted, open, higher, later', () => {
    const canceled = some({ id: 'sub_canceled', plan: 'enterprise', status: 'canceled' });
    const unpaid = some({ id: 'sub_unpaid', plan: 'enterprise', status: 'unpaid' });
    const pro = some({ id: 'sub_pro' });
    const enterprise = some({ id: 'sub_enterprise', plan: 'enterprise' });
    const chosen = (...ones: Subscription[]) => chooseSubscription(ones, AT)?.id;
    expect(chosen(canceled, unpaid, pro, enterprise)).to.equal('sub_enterprise');
    expect(chosen(canceled, unpaid, pro)).to.equal('sub_pro');
    expect(chosen(canceled, unpaid)).to.equal('sub_unpaid');
    expect(chosen(pro, some({ id: 'sub_later', currentPeriodEnd: later(60 * DAY_MS) }))).to.equal('sub_later');
    expect(chosen()).to.equal(undefined);
  });

  it('is ranked by the first criterion that differs', () => {
    const best = some({ id: 'sub_a', plan: 'enterprise' });
    const greater = { id: 'sub_b', currentPeriodEnd: later(90 * DAY_MS) };
    for (const [worse, one] of [
      ['not granted', { ...best, ...greater, status: 'unpaid' }],
      ['of a lower plan', { ...best, ...greater, plan: 'pro' }],
      ['sooner at its end', { ...best, id: 'sub_b', currentPeriodEnd: later(29 * DAY_MS) }],
    ] as const)
      for (const both of [
        [best, one],
        [one, best],
      ])
        expect(chooseSubscription(both, AT)?.id, worse).to.equal('sub_a');
    const ended = { ...best, ...greater, status: 'canceled' } as const;
    const unpaid = some({ id: 'sub_a', status: 'unpaid' });
    expect(chooseSubscription([unpaid, ended], AT)?.id, 'ended').to.equal('sub_a');
    expect(chooseSubscription([{ ...best, id: 'sub_b' }, best], AT)?.id, 'of a lesser id').to.equal('sub_b');
  });
});

describe('a change of billing', () => {
  const report = (account: Account, subscription: Subscription | null, at = AT) =>
    setSubscription(account, 'cus_1', { subscription, at });
  const kinds = ({ mails }: Account) => mails.map(({ kind }) => kind).filter((kind) => kind !== 'verify-email');

  for (const [what, fields, sentence] of [
    ['a plan', { plan: 'enterprise' }, 'The subscription was changed to the enterprise plan, billed every month.'],
    ['an interval', { interval: 'year' }, 'The subscription was changed to the pro plan, billed every year.'],
    ['a cancellation', { endsAt: later(DAY_MS) }, 'The subscription was canceled. It ends on 2026-05-02.'],
    ['a missing payment', { status: 'past_due' }, 'The subscription status changed to past_due.'],
    ['an end', { status: 'canceled', endsAt: AT }, 'The subscription status changed to canceled.'],
    ['another one', { id: 'sub_2' }, 'The pro plan was bought, billed every month. Status: active.'],
    ['another price', { plan: null }, 'The subscription was changed to a price without a plan of this service.'],
    [
      'one without a plan',
      { id: 'sub_2', plan: null, interval: null },
      'A subscription without a plan of this service was bought. Status: active.',
    ],
  ] as const)
    it(`is recorded and mailed: ${what}`, () => {
      const account = { ...sold(some()), mails: [], noticedAt: {} };
      const change = report(account, some(fields));
      expect(auditText(change.facts[0]!)).to.equal(sentence);
      expect(kinds(change.account)).to.deep.equal(['subscription-changed']);
      const again = report(change.account, some(fields), later(HOUR_MS));
      expect([again.facts, kinds(again.account)], 'once').to.deep.equal([[], ['subscription-changed']]);
    });

  it('is the first purchase, an undone cancellation or a deleted subscription', () => {
    const customer = setCustomer(someAccount({ at: AT }).account, 'cus_1', AT).account;
    const bought = report(customer, some({ endsAt: later(DAY_MS) }));
    expect(bought.facts.map(auditText)).to.deep.equal([
      'The pro plan was bought, billed every month. Status: active.',
      'The tier changed from free to pro, because of the subscription.',
    ]);
    const resumed = report(bought.account, some());
    expect(resumed.facts.map(auditText)).to.deep.equal(['The cancellation of the subscription was undone.']);
    expect(auditText(report(resumed.account, null).facts[0]!)).to.equal(
      'The subscription to the pro plan was removed.',
    );
  });

  it('is not a purchase if none is open or the first payment is missing', () => {
    const facts = (before: Subscription | null, after: Subscription | null) =>
      report(sold(before), after)
        .facts.filter(({ type }) => type === 'user_updated')
        .map(auditText);
    const ended = some({ id: 'sub_old', plan: 'enterprise', status: 'canceled' });
    expect(facts(null, ended)).to.deep.equal([]);
    expect(facts(some(), ended)).to.deep.equal(['The subscription to the pro plan was removed.']);
    expect(facts(null, some({ status: 'incomplete' }))).to.deep.equal([]);
    expect(facts(some({ status: 'incomplete' }), some())).to.deep.equal([
      'The pro plan was bought, billed every month. Status: active.',
    ]);
    expect(facts(ended, null)).to.deep.equal([]);
  });

  it('is neither a renewal nor a repeated report', () => {
    const account = { ...sold(some()), mails: [] };
    const renewed = report(account, some({ currentPeriodEnd: later(60 * DAY_MS) }), later(30 * DAY_MS));
    expect([renewed.facts, kinds(renewed.account)]).to.deep.equal([[], []]);
  });

  it('is also the opening of the billing page, once in ten minutes', () => {
    const { account } = someAccount({ at: AT });
    const first = noteBillingPage(account, AT);
    expect(first.facts.map(auditText)).to.deep.equal(['The billing page of the payment provider was opened.']);
    expect(kinds(first.account)).to.deep.equal(['billing-page-opened']);
    expect(noteBillingPage(first.account, later(10 * MINUTE_MS - 1)).account).to.equal(first.account);
    expect(noteBillingPage(first.account, later(10 * MINUTE_MS)).facts).to.have.length(1);
  });
});

describe('the tier of an account', () => {
  it('is set by the operator, else by the subscription, else free', () => {
    const account = sold(some());
    expect([account.tier, tierSource(account, AT)]).to.deep.equal(['pro', 'stripe']);
    const set = setOperatorTier(account, 'internal', AT);
    expect([set.account.tier, tierSource(set.account, AT)]).to.deep.equal(['internal', 'operator']);
    expect(set.facts).to.deep.equal([
      { type: 'authz_change', detail: { from: 'pro', to: 'internal', source: 'operator' } },
    ]);
    expect(setOperatorTier(set.account, 'free', AT).account.tier).to.equal('free');
    expect(setOperatorTier(set.account, null, AT).account.tier).to.equal('pro');
    expect(sold(some({ status: 'canceled' }), account).tier).to.equal('free');
    expect(sold(null, set.account).tier, 'an end of the subscription').to.equal('internal');
  });

  it('changes nothing for the report of a customer that the account has no more', () => {
    const account = sold(some());
    const other = setSubscription(account, 'cus_other', { subscription: null, at: AT });
    expect(other.account).to.equal(account);
  });

  it('counts a missing payment from its first report, regardless of later reports', () => {
    const missing = some({ status: 'past_due' });
    const report = (account: Account, ms: number, subscription: Subscription) =>
      setSubscription(account, 'cus_1', { subscription, at: later(ms) }).account;
    const first = report(sold(some()), HOUR_MS, missing);
    expect(first.billing?.subscription?.pastDueSince).to.deep.equal(later(HOUR_MS));
    const again = report(first, 30 * DAY_MS, { ...missing, currentPeriodEnd: later(60 * DAY_MS) });
    expect([again.billing?.subscription?.pastDueSince, again.tier]).to.deep.equal([later(HOUR_MS), 'free']);
    const paid = report(again, 31 * DAY_MS, some());
    expect([paid.billing?.subscription?.pastDueSince, paid.tier]).to.deep.equal([null, 'pro']);
    expect(report(paid, 32 * DAY_MS, missing).tier).to.equal('pro');
  });

  it("is corrected if an older release set the operator's tier", () => {
    const account = { ...sold(null), tier: 'pro' as const };
    expect(setOperatorTier(account, null, AT).account.tier).to.equal('free');
  });

  it('is checked again when the plan ends, and daily', () => {
    expect(billingDueAt(someAccount({ at: AT }).account)).to.equal(undefined);
    expect(billingDueAt(sold(some()))).to.deep.equal(later(DAY_MS));
    const ending = sold(some({ endsAt: later(HOUR_MS) }));
    expect(billingDueAt(ending)).to.deep.equal(later(HOUR_MS));
    const ended = postponeSync(ending, later(2 * HOUR_MS), later(HOUR_MS)).account;
    expect(ended.tier).to.equal('free');
    expect(billingDueAt(ended), 'once').to.deep.equal(later(2 * HOUR_MS));
    const before = postponeSync(ending, later(2 * HOUR_MS), later(HOUR_MS - 1)).account;
    expect([before.tier, billingDueAt(before)]).to.deep.equal(['pro', later(HOUR_MS)]);
  });
});
