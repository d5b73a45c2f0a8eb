// Contract tests of the port `QuotaAdmissions` for publishable keys: allowed pages, the key's own limit and burst,
// revocation.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { originsOf } from '../../src/accounts/page-origin.js';
import {
  newPublishableKey,
  publishableKeyRule,
  type PublishableKey,
  type PublishableKeySettings,
} from '../../src/accounts/publishable-key.js';
import type { Bucket } from '../../src/accounts/plan.js';
import type { Credential } from '../../src/accounts/credential.js';
import { someAccount } from '../support/accounts.js';
import { DAY_MS, HOUR_MS } from '../support/clock.js';
import { contract } from '../platform/stores/contract.js';
import type { AdmissionsUnderTest } from './quota-admissions.contract.js';

const NOON = Date.UTC(2026, 4, 1, 12);
const ANY = { name: 'Website', origins: [], dailyLimit: null };
/** Daily quota of the tier `free` in `PLANS`. */
const LIMIT = 20;

export const publishableAdmissionsContract = contract<AdmissionsUnderTest>(
  'QuotaAdmissions of publishable keys',
  (under) => {
    const credentialOf = (
      account: Account,
      key: PublishableKey,
      allowingOrigins: readonly string[] = [],
    ): Credential => ({
      accountId: account.id,
      keyHash: publishableKeyRule(key).keyHash,
      allowingOrigins,
    });
    /** Inserts an account with a publishable key. `save` replaces the stored account. */
    async function customer(
      settings: Partial<PublishableKeySettings> = {},
      options: Parameters<typeof someAccount>[0] = {},
    ) {
      const { account: fresh } = someAccount(options);
      const key = newPublishableKey(fresh.id, { ...ANY, ...settings }, new Date(NOON));
      let account: Account = { ...fresh, publishableKeys: [key] };
      await under.accounts.insert(account);
      return {
        account,
        key,
        page: credentialOf(account, key),
        own: { accountId: account.id, keyHash: account.key!.hash },
        save: async (changes: Partial<Account>) => {
          const stored = (await under.accounts.find(account.id))!;
          account = { ...stored, ...changes, version: stored.version + 1 };
          expect(await under.accounts.save(account)).to.equal(true);
        },
      };
    }
    const count = (credential: Credential, bucket: Bucket = 'svg', units = 1) =>
      under.admissions.admit({ ...credential, bucket, charge: 'count', units });
    async function usage(credential: Credential) {
      const reading = await under.admissions.usage(credential);
      if ('rejected' in reading) throw new Error('rejected');
      return reading;
    }

    it('counts in the buckets of the account, and in a counter of the key', async () => {
      const { key, page, own } = await customer();
      expect(await count(page)).to.deep.include({ rejected: null });
      expect(await count(page, 'png'))
        .to.have.property('quota')
        .that.includes({ of: 'key', limit: null, used: 2 });
      expect(await count(own)).to.have.nested.property('quota.used', 2);
      const { used, usedByKey } = await usage(own);
      expect(used).to.include({ svg: 2, png: 1 });
      expect(usedByKey).to.deep.equal({ [key.id]: 2 });
      expect(await under.admissions.usageOf(own.accountId)).to.deep.include({ usedByKey });
    });

    it('is not an API key, and an API key is not a publishable key', async () => {
      const { page, own } = await customer();
      const { page: stranger } = await customer();
      expect(await count({ accountId: page.accountId, keyHash: page.keyHash })).to.deep.equal({ rejected: 'key' });
      expect(await count({ ...own, allowingOrigins: [] })).to.deep.equal({ rejected: 'key' });
      expect(await count({ ...page, keyHash: stranger.keyHash })).to.deep.equal({ rejected: 'key' });
    });

    it('names the own brands of the account, also beyond its limit', async () => {
      const { page, own, save } = await customer({ dailyLimit: 1 });
      expect(await count(page)).to.deep.include({ rejected: null });
      expect(await count(own)).to.not.have.property('ownBrands');
      await save({ ownBrands: { pages: 'a1 b2', count: 2, changes: 3 } });
      const named = await count(own);
      expect(named).to.deep.include({ rejected: null, ownBrands: 'a1 b2' });
      expect(named).to.have.property('quota').that.includes({ of: 'bucket', limit: LIMIT, used: 3 });
      const over = await count(page);
      expect(over).to.deep.include({ rejected: 'quota', ownBrands: 'a1 b2' });
      expect(over).to.have.property('quota').that.includes({ of: 'key', limit: 1, used: 1 });
      await save({ ownBrands: { pages: '', count: 0, changes: 4 } });
      expect(await count(own), 'none any more').to.not.have.property('ownBrands');
    });

    it('is not another key with the same id', async () => {
      const { page } = await customer();
      const another = { ...page, keyHash: page.keyHash.slice(0, 16) + '0'.repeat(48) };
      expect(await count(another)).to.deep.equal({ rejected: 'key' });
      expect(await count(page)).to.deep.include({ rejected: null });
    });

    it('admits only pages of its origins, and counts no others', async () => {
      const { account, key, own } = await customer({ origins: ['example.com', '*.example.org'] });
      const from = (host: string | undefined, charge: 'count' | 'burst' | 'verify' = 'count') =>
        under.admissions.admit({ ...credentialOf(account, key, originsOf(host)), bucket: 'svg', charge });
      expect(await from('example.com')).to.deep.include({ rejected: null });
      expect(await from('a.b.example.org')).to.deep.include({ rejected: null });
      for (const charge of ['count', 'burst', 'verify'] as const)
        for (const host of [undefined, 'example.org', 'www.example.com', 'example.com.evil.net'])
          expect(await from(host, charge)).to.deep.equal({ rejected: 'origin' });
      expect((await usage(own)).used.svg).to.equal(2);
    });

    for (const charge of ['count', 'burst', 'verify'] as const) {
      it(`was last used by a request that is charged "${charge}", from an allowed page`, async () => {
        const { account, key } = await customer({ origins: ['example.com'] });
        const from = async (host: string) => {
          const credential = credentialOf(account, key, originsOf(host));
          await under.admissions.admit({ ...credential, bucket: 'svg', charge });
          await under.flush();
          return under.lastUse(credential);
        };
        expect(await from('evil.net')).to.not.be.a('date');
        expect(await from('example.com')).to.deep.equal(new Date(NOON));
        expect((await under.accounts.find(account.id))?.version).to.equal(account.version);
      });
    }

    it('admits exactly its daily limit of many concurrent requests over all buckets, without affecting the account', async () => {
      const { page, own } = await customer({ dailyLimit: 7 });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          if (index % 3 === 0) await new Promise(setImmediate);
          return count(page, index % 2 === 0 ? 'svg' : 'png');
        }),
      );
      expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(7);
      const [over] = outcomes.filter(({ rejected }) => rejected === 'quota');
      expect(over).to.deep.include({ rejected: 'quota' });
      expect(over).to.have.property('quota').that.includes({ of: 'key', limit: 7, used: 7 });
      const { used, usedByKey } = await usage(own);
      expect([used.svg + used.png, ...Object.values(usedByKey)]).to.deep.equal([7, 7]);
      expect(await count(own))
        .to.have.property('quota')
        .that.includes({ of: 'bucket', limit: LIMIT });
    });

    it('ends with the quota of the account, too', async () => {
      const { page, own } = await customer({ dailyLimit: 100 });
      const { page: unlimited, own: its } = await customer();
      const leave = async (left: number, key: Credential) =>
        Promise.all(Array.from({ length: LIMIT - left }, () => count(key)));
      await leave(3, own);
      expect(await count(page))
        .to.have.property('quota')
        .that.includes({ of: 'key', limit: 100, used: 1 });
      const over = await count(page);
      expect(over, 'the last tenth is left to the API key').to.include({ rejected: 'quota' });
      expect(over)
        .to.have.property('quota')
        .that.includes({ of: 'account', limit: LIMIT, used: LIMIT - 2 });
      expect(await count(page, 'png')).to.include({ rejected: null });
      expect(await count(page, 'png', LIMIT - 2)).to.have.nested.property('quota.of', 'account');
      expect(await count(own, 'svg', 2)).to.include({ rejected: null });
      await leave(1, its);
      expect(await count(unlimited)).to.include({ rejected: null });
      expect(await count(unlimited)).to.have.nested.property('quota.of', 'account');
    });

    it('leaves a tenth of the daily quota, rounded down, to the API key', async () => {
      const { page, own } = await customer({ dailyLimit: 10_000 }, { tier: 'enterprise' });
      expect(await count(page, 'svg', 905)).to.include({ rejected: null });
      expect(await count(page)).to.have.nested.property('quota.of', 'account');
      expect(await count(own, 'svg', 100)).to.include({ rejected: null });
      expect(await count(own)).to.include({ rejected: 'quota' });
    });

    it('gives each visitor a share of the burst, so that a flood of one does not block another', async () => {
      const { page, own } = await customer({}, { tier: 'pro' });
      const ask = async (visitor: string, requests: number, cost = 1) => {
        const admit = () => under.admissions.admit({ ...page, visitor, bucket: 'svg', charge: 'burst', cost });
        const outcomes = await Promise.all(Array.from({ length: requests }, admit));
        return outcomes.filter(({ rejected }) => rejected === null).length;
      };
      expect(await ask('192.0.2.1', 200), 'half of it at once').to.equal(5);
      expect(await ask('192.0.2.5', 5), 'the rest is there for others').to.equal(5);
      under.clock.advance(1000);
      // After a second, the ten shared tokens are available again. This visitor has regained less than one token of its
      // own, so it can use only shared tokens. It gets three, because seven are kept for others.
      expect(await ask('192.0.2.1', 30)).to.equal(3);
      expect(await ask('192.0.2.2', 30)).to.equal(5);
      under.clock.advance(1000);
      expect(await ask('192.0.2.1', 30), 'one of them its own').to.equal(3);
      under.clock.advance(1000);
      expect(await ask('192.0.2.1', 3, 2), 'by cost').to.equal(1);
      expect(await ask('192.0.2.3', 5, 3)).to.equal(2);
      expect(await ask('192.0.2.4', 5, 3)).to.equal(1);
      expect(await ask('192.0.2.6', 1)).to.equal(0);
      expect(await count(own)).to.include({ rejected: null });
      under.clock.advance(HOUR_MS);
      expect(await ask('192.0.2.1', 30)).to.equal(5);
    });

    it('gives a visitor of the pages of two accounts a share of each burst', async () => {
      const both = [await customer({}, { tier: 'pro' }), await customer({}, { tier: 'pro' })];
      for (const { page } of both) {
        const admit = () => under.admissions.admit({ ...page, visitor: '192.0.2.1', bucket: 'svg', charge: 'burst' });
        const outcomes = await Promise.all(Array.from({ length: 10 }, admit));
        expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(5);
      }
    });

    it('is decided for each page and each visitor alone, also for simultaneous requests', async () => {
      const { account, key } = await customer({ origins: ['example.com'] }, { tier: 'pro' });
      const sent = ['example.com', 'evil.net'].flatMap((host) =>
        ['192.0.2.1', '192.0.2.2'].flatMap((visitor) => Array.from({ length: 4 }, () => ({ host, visitor }))),
      );
      const outcomes = await Promise.all(
        sent.map(({ host, visitor }) => {
          const credential = { ...credentialOf(account, key, originsOf(host)), visitor };
          return under.admissions.admit({ ...credential, bucket: 'svg', charge: 'burst' });
        }),
      );
      const expected = sent.map(({ host }) => (host === 'example.com' ? null : 'origin'));
      expect(outcomes.map(({ rejected }) => rejected)).to.deep.equal(expected);
    });

    it('is rejected as suspended with its account, from any page, but a wrong key only as wrong', async () => {
      const { account, key, page } = await customer({ origins: ['example.com'] }, { suspended: true });
      const { page: stranger } = await customer();
      for (const origins of [['example.com'], ['evil.net']])
        expect(await count(credentialOf(account, key, origins))).to.deep.equal({ rejected: 'suspended' });
      expect(await count({ ...page, keyHash: stranger.keyHash })).to.deep.equal({ rejected: 'key' });
    });

    it('counts several units, all or none, and refunds both counters', async () => {
      const { key, page, own } = await customer({ dailyLimit: 10 });
      expect(await count(page, 'svg', 6))
        .to.have.property('quota')
        .that.includes({ of: 'key', used: 6 });
      expect(await count(page, 'svg', 6)).to.include({ rejected: 'quota' });
      const { day } = await usage(own);
      await under.admissions.refund({ ...page, bucket: 'svg', day, units: 6 });
      expect((await usage(own)).usedByKey[key.id] ?? 0).to.equal(0);
      expect((await usage(own)).used.svg).to.equal(0);
      expect(await count(page, 'svg', 10)).to.include({ rejected: null });
    });

    it("has a burst that is separate from the API key's burst", async () => {
      const { page, own } = await customer({}, { tier: 'pro' });
      const outcomes = await Promise.all(Array.from({ length: 15 }, () => count(page)));
      expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(10);
      expect(await count(page)).to.include({ rejected: 'burst' });
      expect(await count(own)).to.include({ rejected: null });
    });

    it('starts at zero each UTC day', async () => {
      const { key, page, own } = await customer({ dailyLimit: 1 });
      expect(await count(page)).to.include({ rejected: null });
      expect(await count(page)).to.include({ rejected: 'quota' });
      under.clock.advance(DAY_MS);
      expect(await count(page)).to.include({ rejected: null });
      expect((await usage(own)).usedByKey[key.id]).to.equal(1);
    });

    it('applies the latest change: limit, origins, suspension, revocation, deletion', async () => {
      const { account, key, page, save } = await customer();
      const change = (changes: Partial<PublishableKey>) => save({ publishableKeys: [{ ...key, ...changes }] });
      expect(await count(page)).to.include({ rejected: null });
      await change({ dailyLimit: 1 });
      expect(await count(page)).to.include({ rejected: 'quota' });
      await change({ dailyLimit: 2 });
      expect(await count(page)).to.include({ rejected: null });
      await change({ origins: ['example.com'] });
      expect(await count(page)).to.deep.equal({ rejected: 'origin' });
      expect(await count(credentialOf(account, key, ['example.com']))).to.include({ rejected: null });
      await change({});
      await save({ suspended: true });
      expect(await count(page)).to.deep.equal({ rejected: 'suspended' });
      await save({ suspended: false });
      expect(await count(page)).to.include({ rejected: null });
      await save({ key: null });
      expect(await count(page), 'the API key is another').to.include({ rejected: null });
      await save({ publishableKeys: [] });
      expect(await count(page)).to.deep.equal({ rejected: 'key' });
    });
  },
);
