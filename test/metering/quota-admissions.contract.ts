// Contract tests of the port `QuotaAdmissions`: counts, concurrency, time, rejections.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Account } from '../../src/accounts/account.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { keyId } from '../../src/accounts/key-format.js';
import { BUCKETS, type Bucket, type Plans } from '../../src/accounts/plan.js';
import type { AccountStore } from '../../src/accounts/account-store.js';
import type { AuditLog } from '../../src/accounts/audit-log.js';
import type { Credential } from '../../src/accounts/credential.js';
import type { QuotaAdmissions } from '../../src/metering/quota-admissions.js';
import type { Tables } from '../../src/platform/stores/tables.js';
import type { UsageHistory } from '../../src/metering/usage-history.js';
import { billingOf, someAccount, subscribed } from '../support/accounts.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../support/clock.js';
import { contract, type Open } from '../platform/stores/contract.js';

export interface AdmissionsUnderTest {
  readonly admissions: QuotaAdmissions;
  readonly accounts: AccountStore;
  /** Stores the values that are normally stored some time after the response. */
  readonly flush: () => Promise<void>;
  /**
   * Returns the stored time of last use of an API key or publishable key. Undefined or null if the key was never used.
   */
  readonly lastUse: (credential: Credential) => Promise<Date | null | undefined>;
}

/** Stores for the contract tests of accounts and usage histories, all in one database. */
export interface AccountsUnderTest extends AdmissionsUnderTest {
  readonly audit: AuditLog;
  readonly history: UsageHistory;
  readonly table: Tables;
}

export type OpenAdmissions = Open<AdmissionsUnderTest>;

/** Reads times of last use from accounts, for stores that keep these times in accounts. */
export function storedLastUse({ accounts }: { readonly accounts: AccountStore }): AdmissionsUnderTest['lastUse'] {
  return async ({ accountId, keyHash, allowingOrigins }) => {
    const account = await accounts.find(accountId);
    const id = keyId(keyHash);
    return allowingOrigins
      ? account?.publishableKeys.find((key) => key.id === id)?.lastUsedAt
      : account?.key?.lastUsedAt;
  };
}

const LIMIT = 20;
const NOON = Date.UTC(2026, 4, 1, 12);
const daily = (limit: number | null) =>
  Object.fromEntries(BUCKETS.map((bucket) => [bucket, limit])) as Record<Bucket, number | null>;
export const PLANS: Plans = {
  free: { daily: daily(LIMIT), burstPerSecond: null, ownBrands: null, siteIcons: null },
  pro: { daily: daily(1000), burstPerSecond: 10, ownBrands: null, siteIcons: null },
  enterprise: { daily: daily(1005), burstPerSecond: null, ownBrands: null, siteIcons: null },
  internal: { daily: daily(null), burstPerSecond: null, ownBrands: null, siteIcons: null },
};

export const admissionsContract = contract<AdmissionsUnderTest>('QuotaAdmissions', (under) => {
  async function customer(options: Parameters<typeof someAccount>[0] = {}): Promise<Credential> {
    const { account, apiKey } = someAccount(options);
    await under.accounts.insert(account);
    const parsed = parseApiKey(apiKey);
    if (!parsed) throw new Error('a fresh key does not parse');
    return { accountId: parsed.accountId, keyHash: parsed.hash };
  }
  const count = (credential: Credential, bucket: Bucket = 'svg') =>
    under.admissions.admit({ ...credential, bucket, charge: 'count' });
  async function used(credential: Credential, bucket: Bucket = 'svg'): Promise<number> {
    const usage = await under.admissions.usage(credential);
    if ('rejected' in usage) throw new Error('rejected');
    return usage.used[bucket];
  }

  it('counts one per admission, in its own bucket', async () => {
    const credential = await customer();
    const first = await count(credential);
    expect(first).to.deep.include({ rejected: null });
    expect(first).to.have.nested.property('quota.used', 1);
    expect(first).to.have.nested.property('quota.limit', LIMIT);
    expect(first).to.have.nested.property('quota.secondsLeft', 12 * 3600);
    await count(credential, 'png');
    expect(await used(credential)).to.equal(1);
    expect(await used(credential, 'png')).to.equal(1);
    expect(await used(credential, 'batch')).to.equal(0);
  });

  it('admits exactly the limit of many concurrent requests, in any ticks', async () => {
    const credential = await customer();
    const waves = Array.from({ length: 200 }, async (_, index) => {
      if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      return count(credential);
    });
    const outcomes = await Promise.all(waves);
    expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(LIMIT);
    expect(outcomes.filter(({ rejected }) => rejected === 'quota')).to.have.length(200 - LIMIT);
    expect(await used(credential)).to.equal(LIMIT);
  });

  it('gives each account its whole limit when requests of two arrive alternately', async () => {
    const both = [await customer(), await customer()];
    const outcomes = await Promise.all(Array.from({ length: LIMIT }, () => both.map((one) => count(one))).flat());
    expect(outcomes.filter(({ rejected }) => rejected !== null)).to.deep.equal([]);
    for (const credential of both) expect(await used(credential)).to.equal(LIMIT);
    expect((await Promise.all(both.map((one) => count(one)))).map(({ rejected }) => rejected)).to.deep.equal([
      'quota',
      'quota',
    ]);
  });

  it('never counts for verify and burst', async () => {
    const credential = await customer();
    await under.admissions.admit({ ...credential, bucket: 'svg', charge: 'verify' });
    await under.admissions.admit({ ...credential, bucket: 'svg', charge: 'burst' });
    expect(await used(credential)).to.equal(0);
  });

  it('has no limit if the plan has none', async () => {
    const credential = await customer({ tier: 'internal' });
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => count(credential)));
    expect(outcomes.every((outcome) => outcome.rejected === null && outcome.quota.limit === null)).to.equal(true);
    expect(await used(credential)).to.equal(300);
  });

  describe('of an account whose tier ends', () => {
    const end = new Date(NOON + DAY_MS);
    async function buyer(subscription: Parameters<typeof subscribed>[0], changes: Partial<Account> = {}) {
      const { account } = subscribed(subscription);
      await under.accounts.insert({ ...account, ...changes });
      return { id: account.id, credential: { accountId: account.id, keyHash: account.key!.hash } };
    }
    /** Returns the tier and limit that the next request gets, and the tier in the usage report. */
    async function limits(credential: Credential) {
      const [admission, byKey, report] = [
        await count(credential),
        await under.admissions.usage(credential),
        await under.admissions.usageOf(credential.accountId),
      ];
      if ('rejected' in byKey || 'rejected' in report) throw new Error('rejected');
      const { tier, limit } = admission.rejected === null ? admission.quota : { tier: undefined, limit: undefined };
      expect([byKey.tier, report.tier]).to.deep.equal([tier, tier]);
      return { tier, limit };
    }
    const PRO = { tier: 'pro', limit: 1000 };
    const FREE = { tier: 'free', limit: LIMIT };

    for (const [what, subscription] of [
      ['a canceled period', { endsAt: end }],
      ['seven days without a payment', { status: 'past_due', pastDueSince: new Date(end.getTime() - 7 * DAY_MS) }],
      ['a canceled period without its payment', { status: 'past_due', pastDueSince: new Date(NOON), endsAt: end }],
    ] as const)
      it(`applies the free limits from the first request after ${what}, without a job`, async () => {
        const { credential } = await buyer(subscription);
        under.clock.advance(DAY_MS - 1);
        expect(await limits(credential)).to.deep.equal(PRO);
        under.clock.advance(1);
        expect(await limits(credential)).to.deep.equal(FREE);
      });

    it('applies the burst limit of the free tier from then on', async () => {
      const { credential } = await buyer({ endsAt: end });
      under.clock.advance(DAY_MS);
      const admit = () => under.admissions.admit({ ...credential, bucket: 'svg', charge: 'burst' });
      const outcomes = await Promise.all(Array.from({ length: 30 }, admit));
      expect(
        outcomes.every(({ rejected }) => rejected === null),
        'none, in these plans',
      ).to.equal(true);
    });

    it('raises the limits with the renewal, from the next request on', async () => {
      const { id, credential } = await buyer({ endsAt: end });
      under.clock.advance(2 * DAY_MS);
      expect(await limits(credential)).to.deep.equal(FREE);
      const stored = (await under.accounts.find(id))!;
      const renewed = { ...stored, billing: billingOf(id), version: stored.version + 1 };
      expect(await under.accounts.save(renewed, [], stored)).to.equal(true);
      expect(await limits(credential)).to.deep.equal(PRO);
    });

    it("keeps the operator's tier, and one without an end", async () => {
      const [set, open] = [
        await buyer({ endsAt: end }, { tier: 'enterprise', operatorTier: 'enterprise' }),
        await buyer({ endsAt: null }),
      ];
      const same = await buyer({ endsAt: end }, { operatorTier: 'pro' });
      under.clock.advance(400 * DAY_MS);
      expect(await limits(set.credential)).to.deep.equal({ tier: 'enterprise', limit: 1005 });
      expect(await limits(open.credential)).to.deep.equal(PRO);
      expect(await limits(same.credential)).to.deep.equal(PRO);
    });
  });

  it('starts at zero each UTC day, and refunds to the day that was counted', async () => {
    const credential = await customer();
    under.clock.advance(12 * HOUR_MS - 1);
    const late = await count(credential);
    expect(late).to.have.nested.property('quota.secondsLeft', 1);
    under.clock.advance(1);
    expect(await used(credential)).to.equal(0);
    expect(await count(credential)).to.have.nested.property('quota.used', 1);
    if (late.rejected !== null) throw new Error('rejected');
    await under.admissions.refund({ ...credential, bucket: 'svg', day: late.quota.day });
    expect(await used(credential)).to.equal(1);
    under.clock.advance(-1);
    expect(await used(credential)).to.equal(0);
    await under.admissions.refund({ ...credential, bucket: 'svg', day: late.quota.day });
    expect(await used(credential)).to.equal(0);
  });

  it('counts several units for one request, all or none', async () => {
    const credential = await customer();
    const batch = (units: number) => under.admissions.admit({ ...credential, bucket: 'svg', charge: 'count', units });
    expect(await batch(8))
      .to.deep.include({ rejected: null })
      .and.to.have.nested.property('quota.used', 8);
    const both = await Promise.all([batch(8), batch(8)]);
    expect(both.map(({ rejected }) => rejected)).to.have.members([null, 'quota']);
    expect(await used(credential)).to.equal(16);
    const [, , third] = await Promise.all([batch(2), batch(2), batch(1)]);
    expect(third).to.include({ rejected: 'quota' });
    expect(await used(credential)).to.equal(LIMIT);
    const day = third.rejected === 'quota' ? third.quota.day : undefined;
    await under.admissions.refund({ ...credential, bucket: 'svg', day: day!, units: 8 });
    expect(await used(credential)).to.equal(LIMIT - 8);
  });

  it('counts the units of each of several simultaneous requests', async () => {
    const credential = await customer();
    const batch = (units: number) => under.admissions.admit({ ...credential, bucket: 'svg', charge: 'count', units });
    const outcomes = await Promise.all([1, 6, 3].map(batch));
    expect(outcomes.map(({ rejected }) => rejected)).to.deep.equal([null, null, null]);
    expect(await used(credential)).to.equal(10);
  });

  it('charges the cost of a request to the burst, and makes later ones wait for a debt', async () => {
    const credential = await customer({ tier: 'pro' });
    const ask = async (requests: number, cost: number, charge: 'count' | 'burst' = 'burst') => {
      const admit = () => under.admissions.admit({ ...credential, bucket: 'svg', charge, cost });
      return (await Promise.all(Array.from({ length: requests }, admit))).map(({ rejected }) => rejected);
    };
    expect(await ask(4, 4)).to.deep.equal([null, null, null, 'burst']);
    under.clock.advance(200);
    expect(await ask(1, 1)).to.deep.equal(['burst']);
    under.clock.advance(100);
    expect(await ask(2, 31, 'count')).to.deep.equal([null, 'burst']);
    expect(await used(credential)).to.equal(1);
    const late = await under.admissions.admit({ ...credential, bucket: 'svg', charge: 'burst' });
    expect(late).to.deep.equal({ rejected: 'burst', retryAfterSeconds: 4, perSecond: 10, tier: 'pro' });
    under.clock.advance(3000);
    expect(await ask(1, 1)).to.deep.equal(['burst']);
    under.clock.advance(100);
    expect(await ask(2, 1)).to.deep.equal([null, 'burst']);
    expect((await Promise.all([ask(1, 2), ask(1, 9)])).flat(), 'each by its own cost').to.have.members([
      'burst',
      'burst',
    ]);
    under.clock.advance(1000);
    expect((await Promise.all([ask(1, 2), ask(1, 9)])).flat(), 'each by its own cost').to.deep.equal([null, null]);
    expect(await ask(1, 1)).to.deep.equal(['burst']);
  });

  it('charges one burst token for one request of several units', async () => {
    const credential = await customer({ tier: 'pro' });
    const outcomes = await Promise.all(
      Array.from({ length: 11 }, () =>
        under.admissions.admit({ ...credential, bucket: 'svg', charge: 'count', units: 20 }),
      ),
    );
    expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(10);
    expect(await used(credential)).to.equal(200);
  });

  it('charges nothing to the burst for verifying a key, and verifies it without a burst', async () => {
    const credential = await customer({ tier: 'pro' });
    const ask = async (charge: 'verify' | 'burst', requests: number) => {
      const admit = () => under.admissions.admit({ ...credential, bucket: 'svg', charge });
      const outcomes = await Promise.all(Array.from({ length: requests }, admit));
      return outcomes.filter(({ rejected }) => rejected === null).length;
    };
    expect(await ask('verify', 25)).to.equal(25);
    expect(await ask('burst', 15)).to.equal(10);
    expect(await ask('verify', 25)).to.equal(25);
  });

  it("admits one second's requests immediately, then the rate", async () => {
    const credential = await customer({ tier: 'pro' });
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => count(credential)));
    expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(10);
    expect(outcomes.at(-1)).to.deep.equal({ rejected: 'burst', retryAfterSeconds: 1, perSecond: 10, tier: 'pro' });
    expect(await used(credential)).to.equal(10);
    under.clock.advance(300);
    const later = await Promise.all(Array.from({ length: 5 }, () => count(credential)));
    expect(later.filter(({ rejected }) => rejected === null)).to.have.length(3);
  });

  it('admits the rate again after the clock was set back with an empty burst', async () => {
    const credential = await customer({ tier: 'pro' });
    await Promise.all(Array.from({ length: 15 }, () => count(credential)));
    under.clock.advance(-HOUR_MS);
    expect(await count(credential)).to.include({ rejected: 'burst' });
    under.clock.advance(300);
    const later = await Promise.all(Array.from({ length: 5 }, () => count(credential)));
    expect(later.filter(({ rejected }) => rejected === null)).to.have.length(3);
  });

  it('rejects an unknown account, a wrong key and a suspended account, without counting', async () => {
    const credential = await customer();
    const stranger = await customer();
    expect(await count({ ...credential, keyHash: stranger.keyHash })).to.deep.equal({ rejected: 'key' });
    expect(await count({ ...credential, accountId: 'nobody' as Credential['accountId'] })).to.deep.equal({
      rejected: 'key',
    });
    expect(await used(credential)).to.equal(0);
    const suspended = await customer({ suspended: true });
    expect(await count(suspended)).to.deep.equal({ rejected: 'suspended' });
    expect(await under.admissions.usage(suspended)).to.deep.equal({ rejected: 'suspended' });
    expect(await under.admissions.usage({ ...credential, keyHash: 'x' })).to.deep.equal({ rejected: 'key' });
    expect(await under.admissions.usageOf(suspended.accountId)).to.deep.equal({ rejected: 'suspended' });
    expect(await under.admissions.usageOf('nobody' as Credential['accountId'])).to.deep.equal({ rejected: 'key' });
  });

  it('tells only the holder of the right key that the account is suspended', async () => {
    const stranger = await customer();
    const suspended = { ...(await customer({ suspended: true })), keyHash: stranger.keyHash };
    expect(await count(suspended)).to.deep.equal({ rejected: 'key' });
    expect(await under.admissions.usage(suspended)).to.deep.equal({ rejected: 'key' });
  });

  describe('the last use of a key', () => {
    const ASKS: Readonly<Record<string, (credential: Credential) => Promise<unknown>>> = {
      'that is counted': (credential) => count(credential),
      'with HEAD, or that is wrong': (credential) =>
        under.admissions.admit({ ...credential, bucket: 'svg', charge: 'burst' }),
      'that is answered 304': (credential) =>
        under.admissions.admit({ ...credential, bucket: 'svg', charge: 'verify' }),
      'for its usage': (credential) => under.admissions.usage(credential),
      'over its quota': (credential) =>
        under.admissions.admit({ ...credential, bucket: 'svg', charge: 'count', units: LIMIT + 1 }),
    };
    for (const [request, ask] of Object.entries(ASKS)) {
      it(`is the time of a request ${request}`, async () => {
        const credential = await customer();
        await ask(credential);
        await under.flush();
        expect(await under.lastUse(credential)).to.deep.equal(new Date(NOON));
      });
    }

    it('is written once a minute for any requests', async () => {
      const credential = await customer();
      for (const [laterMs, written] of [
        [0, NOON],
        [MINUTE_MS - 1, NOON],
        [1, NOON + MINUTE_MS],
        [MINUTE_MS - 1, NOON + MINUTE_MS],
      ] as const) {
        under.clock.advance(laterMs);
        for (const ask of Object.values(ASKS)) await ask(credential);
        await under.flush();
        expect(await under.lastUse(credential), `at ${under.clock.date().toISOString()}`).to.deep.equal(
          new Date(written),
        );
      }
    });

    it('ignores rejected requests and callers without the key', async () => {
      const credential = await customer();
      const stranger = await customer();
      const suspended = await customer({ suspended: true });
      for (const ask of Object.values(ASKS)) {
        await ask({ ...credential, keyHash: stranger.keyHash });
        await ask(suspended);
      }
      await under.admissions.usageOf(credential.accountId);
      await under.flush();
      for (const unused of [credential, stranger, suspended]) expect(await under.lastUse(unused)).to.not.be.a('date');
    });
  });

  it('counts admitted less refunded requests, for any interleaving', async () => {
    const step = fc.record({
      bucket: fc.constantFrom<Bucket>('svg', 'png'),
      back: fc.boolean(),
      pause: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const credential = await customer();
        const expected = { svg: 0, png: 0 };
        await Promise.all(
          steps.map(async ({ bucket, back, pause }) => {
            if (pause) await new Promise((resolve) => setImmediate(resolve));
            const outcome = await count(credential, bucket);
            if (outcome.rejected !== null) return;
            expected[bucket as 'svg' | 'png'] += 1;
            if (!back) return;
            await under.admissions.refund({ ...credential, bucket, day: outcome.quota.day });
            expected[bucket as 'svg' | 'png'] -= 1;
          }),
        );
        expect(await used(credential, 'svg')).to.equal(expected.svg);
        expect(await used(credential, 'png')).to.equal(expected.png);
      }),
      { numRuns: 30 },
    );
  });
});
