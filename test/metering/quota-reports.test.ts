// Reports of used quotas: at 80 % and at the limit, each once per bucket and day. A failed report is repeated. A day
// that is earlier than the last reported day is never reported.
import { expect } from 'chai';
import type { Bucket } from '../../src/accounts/plan.js';
import { createQuotaReports, type QuotaReport } from '../../src/metering/quota-reports.js';
import { createBackgroundTasks } from '../../src/platform/jobs/background-tasks.js';
import { AppError } from '../../src/platform/errors.js';
import { addDays, utcDay, type UtcDay } from '../../src/platform/utc-day.js';
import { openTestAccounts, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { clockAt } from '../support/clock.js';

const clock = clockAt();
const TODAY = utcDay(clock.now());
const LIMIT = 10;

describe('reports of used quotas', () => {
  let parts: TestAccounts;
  beforeEach(async () => {
    parts = await openTestAccounts({ now: clock.now });
  });
  afterEach(() => parts.close());

  /** Creates a new account and the reports about it. The first `failures` changes of the account are rejected. */
  async function opened(failures = 0) {
    const { account } = someAccount({ at: clock.date() });
    await parts.accounts.insert(account);
    const errors: unknown[] = [];
    const made: (readonly [UtcDay, QuotaReport['percents']])[] = [];
    const background = createBackgroundTasks((error) => void errors.push(error));
    const run: typeof parts.actors.run = (...change) =>
      errors.length < failures ? Promise.reject(new AppError('busy')) : parts.actors.run(...change);
    const start = () => {
      const started = createQuotaReports({ actors: { run }, background });
      started.listen((current, { day, percents }) => {
        made.push([day, percents]);
        return current;
      });
      return started;
    };
    let reports = start();
    const use = async (used: number, day = TODAY, bucket: Bucket = 'svg') => {
      const quota = { of: 'bucket', day, tier: 'free', limit: LIMIT, used, secondsLeft: 1 } as const;
      reports.notice({ accountId: account.id, bucket }, quota, undefined);
      await background.settle();
    };
    /** Forgets what the process remembers, like a restart. The account's record remains. */
    const restart = () => void (reports = start());
    return { use, restart, made, errors };
  }

  it('are made at 80 % and at the limit, each once', async () => {
    const { use, made } = await opened();
    for (let used = 0; used <= LIMIT; used++) await use(used);
    await use(LIMIT);
    expect(made).to.deep.equal([
      [TODAY, [80]],
      [TODAY, [100]],
    ]);
  });

  it('are made of each bucket, and are not repeated by a restarted process', async () => {
    const { use, restart, made } = await opened();
    await use(8);
    await use(8, TODAY, 'png');
    restart();
    await use(8);
    await use(8, TODAY, 'png');
    expect(made).to.deep.equal([
      [TODAY, [80]],
      [TODAY, [80]],
    ]);
  });

  it('are made by the next request if one could not be saved', async () => {
    const { use, made, errors } = await opened(1);
    await use(8);
    expect([made.length, errors.length]).to.deep.equal([0, 1]);
    await use(8);
    expect(made).to.deep.equal([[TODAY, [80]]]);
  });

  it('are not made of a day before the last report, which another process may send late', async () => {
    const { use, made } = await opened();
    await use(8);
    await use(LIMIT, addDays(TODAY, -1));
    await use(LIMIT);
    await use(8, addDays(TODAY, 1));
    expect(made).to.deep.equal([
      [TODAY, [80]],
      [TODAY, [100]],
      [addDays(TODAY, 1), [80]],
    ]);
  });

  it("are made of the account's bucket, never of the daily limit of a publishable key", async () => {
    const { account } = someAccount();
    await parts.accounts.insert(account);
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    const reports = createQuotaReports({ actors: parts.actors, background });
    const limits: number[] = [];
    reports.listen((current, { limit }) => {
      limits.push(limit);
      return current;
    });
    const ofKey = { of: 'key', day: TODAY, tier: 'free', limit: 5, used: 5, secondsLeft: 1 } as const;
    const request = { accountId: account.id, bucket: 'svg' } as const;
    reports.notice(request, ofKey, undefined);
    reports.notice(request, ofKey, { limit: LIMIT, used: 7 });
    await background.settle();
    expect(limits).to.deep.equal([]);
    reports.notice(request, ofKey, { limit: LIMIT, used: 8 });
    await background.settle();
    expect(limits).to.deep.equal([LIMIT]);
  });

  it('contain both percentages if one request has passed both, and reach the account with its next version', async () => {
    const { account } = someAccount();
    await parts.accounts.insert(account);
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    const reports = createQuotaReports({ actors: parts.actors, background });
    const made: unknown[] = [];
    reports.listen((current, report) => {
      made.push([current.version, report]);
      return { ...current, emailVerified: true };
    });
    const [accountId, bucket, tier, day] = [account.id, 'batch', 'free', TODAY] as const;
    const quota = { of: 'bucket', day, tier, limit: LIMIT, used: LIMIT, secondsLeft: 1 } as const;
    reports.notice({ accountId, bucket }, quota, undefined);
    await background.settle();
    const stored = (await parts.accounts.find(account.id))!;
    expect([stored.version, stored.emailVerified]).to.deep.equal([account.version + 1, true]);
    const report = { accountId, bucket, tier, day, used: LIMIT, limit: LIMIT, percents: [80, 100] };
    expect(made).to.deep.equal([[stored.version, report]]);
  });

  /** Reports about an account with which nothing may happen. */
  async function unreported(options: Parameters<typeof someAccount>[0], { limit = LIMIT, isStored = true } = {}) {
    const { account } = someAccount(options);
    if (isStored) await parts.accounts.insert(account);
    const background = createBackgroundTasks((error) => expect.fail(String(error)));
    const reports = createQuotaReports({ actors: parts.actors, background });
    reports.listen(() => expect.fail('nothing to report'));
    const quota = { of: 'bucket', day: TODAY, tier: 'free', limit, used: limit, secondsLeft: 1 } as const;
    reports.notice({ accountId: account.id, bucket: 'svg' }, quota, undefined);
    await background.settle();
    expect(await parts.accounts.find(account.id)).to.deep.equal(isStored ? account : undefined);
  }

  it('are not made of a bucket whose limit is zero', () => unreported({}, { limit: 0 }));

  it('are not made of a suspended account', () => unreported({ suspended: true }));

  it('are dropped without an error if the account was deleted meanwhile', () => unreported({}, { isStored: false }));
});
