// Errors of metering: when the burst limit is exceeded, and when the counters cannot be read.
import { expect } from 'chai';
import { readPlans } from '../../config/plans.js';
import type { AccountId } from '../../src/accounts/account.js';
import { newPublishableKey, publishableKeyRule } from '../../src/accounts/publishable-key.js';
import { AppError } from '../../src/platform/errors.js';
import type { QuotaAdmissions } from '../../src/metering/quota-admissions.js';
import { createAccountUsage, createMetering } from '../../src/metering/metering.js';
import { openEmbeddedQuotaAdmissions } from '../../src/metering/quota-admissions.sqlite.js';
import { createEmbeddedUsageHistory } from '../../src/metering/usage-history.sqlite.js';
import { rejection } from '../support/account-services.js';
import { someAccount, subscribed } from '../support/accounts.js';
import { clockAt, MINUTE_MS } from '../support/clock.js';
import { recordStores } from '../support/stores.js';
import { temporaryDatabase } from '../support/temporary.js';

describe('metering', () => {
  it('reports the size of the burst, except to pages, because it would reveal the plan to visitors', async () => {
    const admit = async () => ({ rejected: 'burst', retryAfterSeconds: 1, perSecond: 50 });
    const service = createMetering({ admissions: { admit } as never, plans: readPlans() });
    const request = { accountId: 'AccountId012' as AccountId, keyHash: '', bucket: 'svg', charge: 'count' } as const;
    const messageFor = (allowingOrigins?: readonly string[]) =>
      service.admit({ ...request, allowingOrigins }).catch((error: unknown) => (error as AppError).message);
    expect(await messageFor()).to.match(/your plan allows 50, and an expensive request counts more than once/);
    expect(await messageFor([]))
      .to.match(/This publishable key/)
      .and.not.match(/50/);
  });

  it('charges the burst for a request that counts against no quota', async () => {
    const { now } = clockAt();
    const { db, close } = temporaryDatabase();
    try {
      const { account } = someAccount({ tier: 'free', at: new Date(now()) });
      await recordStores(db, now).accounts.insert(account);
      const plans = readPlans();
      const service = createMetering({ admissions: openEmbeddedQuotaAdmissions({ db, plans, now }), plans });
      const credential = { accountId: account.id, keyHash: account.key!.hash };
      for (let sent = 0; sent < plans.free.burstPerSecond!; sent++)
        expect(await service.verify(credential)).to.equal('free');
      expect(await rejection(service.verify(credential))).to.equal('rate_limited');
      expect((await service.usage(credential)).endpoints.catalog.used).to.equal(0);
    } finally {
      close();
    }
  });

  it('keeps the burst of an account, however many visitors its pages have meanwhile', async () => {
    const { now } = clockAt();
    const { db, close } = temporaryDatabase();
    try {
      const { account: fresh } = someAccount({ tier: 'free', at: new Date(now()) });
      const key = newPublishableKey(fresh.id, { name: 'Website', origins: [], dailyLimit: null }, new Date(now()));
      const account = { ...fresh, publishableKeys: [key] };
      await recordStores(db, now).accounts.insert(account);
      const plans = readPlans();
      const admissions = openEmbeddedQuotaAdmissions({ db, plans, now, maxClients: 4 });
      const own = { accountId: account.id, keyHash: account.key!.hash, bucket: 'svg', charge: 'burst' } as const;
      expect(await admissions.admit({ ...own, cost: plans.free.burstPerSecond! })).to.include({ rejected: null });
      const page = { ...own, keyHash: publishableKeyRule(key).keyHash, allowingOrigins: [] };
      for (let visitor = 0; visitor < 10; visitor++) await admissions.admit({ ...page, visitor: `192.0.2.${visitor}` });
      expect(await admissions.admit(own)).to.include({ rejected: 'burst' });
    } finally {
      close();
    }
  });

  it('reports the limits of the tier that applies now, even if an ended tier is still stored', async () => {
    const { now, date, advance } = clockAt();
    const { db, close } = temporaryDatabase();
    try {
      const endsAt = new Date(date().getTime() + MINUTE_MS);
      const { account } = subscribed({ currentPeriodEnd: endsAt, endsAt });
      const [plans, usage] = [readPlans(), createEmbeddedUsageHistory(db)];
      const metering = createMetering({ admissions: openEmbeddedQuotaAdmissions({ db, plans, now }), plans });
      const accountUsage = createAccountUsage({ metering, usage, plans, now });
      expect(await accountUsage.today(account)).to.deep.include({ tier: 'pro' });
      advance(MINUTE_MS);
      const { tier, endpoints } = await accountUsage.today(account);
      expect([account.tier, tier, endpoints.svg.limit]).to.deep.equal(['pro', 'free', plans.free.daily.svg]);
    } finally {
      close();
    }
  });

  it('answers internal_error when the counters cannot be read, and unavailable when nothing can be counted', async () => {
    const outOfReach = () => Promise.reject(new AppError('unavailable'));
    const admissions: QuotaAdmissions = {
      admit: outOfReach,
      refund: outOfReach,
      usage: outOfReach,
      usageOf: outOfReach,
    };
    const service = createMetering({ admissions, plans: readPlans() });
    const credential = { accountId: 'AccountId012' as AccountId, keyHash: '' };
    expect(await rejection(service.usage(credential))).to.equal('internal_error');
    expect(await rejection(service.usageOf(credential.accountId))).to.equal('internal_error');
    expect(await rejection(service.usageByKey(credential.accountId))).to.equal('internal_error');
    expect(await rejection(service.admit({ ...credential, bucket: 'svg', charge: 'count' }))).to.equal('unavailable');
  });
});
