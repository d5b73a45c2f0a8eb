// Subscriptions in the dashboard, and which of their reads cause a request to the payment provider.
import { expect } from 'chai';
import type { Account, AccountId } from '../../src/accounts/account.js';
import { createSubscriptions } from '../../src/billing/subscriptions.js';
import { createNoPayments } from '../../src/billing/no-payments.js';
import { AppError, PaymentsAwayError } from '../../src/platform/errors.js';
import { openTestAccounts, type TestAccounts } from '../support/account-services.js';
import { billingOf, someAccount } from '../support/accounts.js';
import { clockAt, MINUTE_MS, SECOND_MS, type Clock } from '../support/clock.js';

describe('the subscription of an account', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let asked: AccountId[];
  let errors: unknown[];
  beforeEach(async () => {
    clock = clockAt(Date.UTC(2026, 4, 1, 12));
    parts = await openTestAccounts({ now: clock.now });
    [asked, errors] = [[], []];
  });
  afterEach(() => parts.close());

  interface Given {
    readonly isConfigured?: boolean;
    /** Called for each synchronization with the payment provider. By default, resolves immediately. */
    readonly sync?: (id: AccountId) => Promise<void>;
  }
  const subscriptions = ({ isConfigured = true, sync = async () => undefined }: Given = {}) =>
    createSubscriptions({
      ...parts,
      payments: { ...createNoPayments(), isConfigured },
      billing: { sync: (id) => (asked.push(id), sync(id)) },
      onError: (error) => void errors.push(error),
    });
  async function customer(leftMs: number | null, more: Partial<Account> = {}): Promise<Account> {
    const { account: fresh } = someAccount({ at: clock.date() });
    const watchedUntil = leftMs === null ? null : new Date(clock.now() + leftMs);
    const account = { ...fresh, mails: [], billing: { ...billingOf(fresh.id), watchedUntil }, ...more };
    await parts.accounts.insert(account);
    return account;
  }

  it('is requested while it is watched, and read again afterwards', async () => {
    const account = await customer(1);
    const renamed = async (id: AccountId) => {
      const now = (await parts.accounts.find(id))!;
      await parts.accounts.save({ ...now, emailVerified: true, version: now.version + 1 }, [], now);
    };
    expect(await subscriptions({ sync: renamed }).read(account.id)).to.include({ emailVerified: true });
    expect(asked).to.deep.equal([account.id]);
  });

  it('is not requested otherwise', async () => {
    for (const [account, given] of [
      [await customer(null), {}],
      [await customer(0), {}],
      [await customer(1), { isConfigured: false }],
    ] as const)
      expect(await subscriptions(given).read(account.id)).to.deep.equal(account);
    expect(await subscriptions().read('nobody' as AccountId)).to.equal(undefined);
    const deleting = await customer(1, { deleting: true });
    expect(await subscriptions().read(deleting.id)).to.equal(undefined);
    expect(asked).to.deep.equal([]);
  });

  it('is not written to an account while its deletion is in progress', async () => {
    const account = await customer(1);
    const deleted = async (id: AccountId) => {
      const now = (await parts.accounts.find(id))!;
      await parts.accounts.save({ ...now, deleting: true, version: now.version + 1 }, [], now);
    };
    expect(await subscriptions({ sync: deleted }).read(account.id)).to.equal(undefined);
  });

  it('is requested at most every five seconds, separately for each account', async () => {
    const [one, other] = [await customer(MINUTE_MS), await customer(MINUTE_MS)];
    const from = subscriptions();
    for (const { id } of [one, one, other]) await from.read(id);
    expect(asked).to.deep.equal([one.id, other.id]);
    clock.advance(5 * SECOND_MS - 1);
    await from.read(one.id);
    expect(asked).to.have.length(2);
    clock.advance(1);
    await from.read(one.id);
    expect(asked).to.have.length(3);
  });

  it('is the last known one if the request fails, and the operator gets unexpected errors', async () => {
    const broken = new Error('broken');
    for (const error of [
      broken,
      new AppError('conflict'),
      new PaymentsAwayError('away'),
      new AppError('not_found'),
      new AppError('billing_unavailable'),
    ]) {
      const account = await customer(1);
      const failing = subscriptions({ sync: () => Promise.reject(error) });
      expect(await failing.read(account.id)).to.deep.equal(account);
    }
    expect(errors.map((error) => (error instanceof AppError ? error.code : error))).to.deep.equal([
      broken,
      'conflict',
      'billing_unavailable',
    ]);
  });

  it('is watched from a refresh on, if the account exists', async () => {
    const account = await customer(null);
    await subscriptions().refresh(account.id);
    expect((await parts.accounts.find(account.id))?.billing?.watchedUntil).to.deep.equal(
      new Date(clock.now() + 10 * MINUTE_MS),
    );
    expect(asked).to.deep.equal([account.id]);
    expect(await subscriptions().refresh('nobody' as AccountId)).to.equal(undefined);
    const unbilled = await customer(null);
    expect(await subscriptions({ isConfigured: false }).refresh(unbilled.id)).to.deep.equal(unbilled);
  });
});
