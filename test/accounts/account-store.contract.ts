// Contract tests of the port `AccountStore`: writes and reads, concurrency, time, rejection.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { accountSchema, emailIdentity, type Account, type AccountId } from '../../src/accounts/account.js';
import { regenerateKey, revokeKey } from '../../src/accounts/changes/credentials.js';
import { setCustomer, setSubscription } from '../../src/accounts/changes/billing.js';
import { beginDeletion, newAccount } from '../../src/accounts/changes/lifecycle.js';
import { sendLink, withLink } from '../../src/accounts/changes/email-links.js';
import { signIn } from '../../src/accounts/changes/sessions.js';
import { noteThrottled } from '../../src/accounts/changes/status.js';
import { newLink } from '../../src/accounts/email-link.js';
import { withMail } from '../../src/accounts/changes/mails.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { auditEvents, type AuditEvent, type AuditFact } from '../../src/accounts/audit-event.js';
import { keyId } from '../../src/accounts/key-format.js';
import { newPublishableKey, parsePublishableKey } from '../../src/accounts/publishable-key.js';
import type { Subscription } from '../../src/accounts/subscription.js';
import { SESSION_IDLE_MS } from '../../src/accounts/session.js';
import type { DueWork } from '../../src/accounts/account-store.js';
import { ACCOUNTS } from '../../src/accounts/account-store.records.js';
import { someAccount } from '../support/accounts.js';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../support/clock.js';
import { contract } from '../platform/stores/contract.js';
import type { AccountsUnderTest } from '../metering/quota-admissions.contract.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12, 0, 0, 123));
const later = (ms: number): Date => new Date(AT.getTime() + ms);
/**
 * Number of concurrent saves in each of twenty rounds. Fifty saves would make a thousand writes, too many for a busy
 * database.
 */
const SAVERS = 20;
const SYSTEM = { kind: 'system', address: null } as const;
const ORIGIN = { userAgent: 'Browser "Ünï" \u{1F511}', address: '192.0.2.0/24' };

const eventOf = (account: Account, type: AuditFact['type'] = 'user_updated'): AuditEvent[] =>
  auditEvents([{ type, detail: { step: account.version } }], { account, by: SYSTEM, at: AT });
const nextOf = (account: Account, changes: Partial<Account>): Account => ({
  ...account,
  ...changes,
  version: account.version + 1,
});

/** Account with a value in every field. */
function fullAccount(): Account {
  let { account } = newAccount({
    email: 'Ada.Lovelace@Example.com',
    passwordHash: '$argon2id$full',
    tier: 'pro',
    at: AT,
  });
  for (const minutes of [1, 2])
    account = signIn(account, { passwordVersion: 1, origin: ORIGIN }, later(minutes * MINUTE_MS)).account;
  account = signIn(
    account,
    { passwordVersion: 1, origin: { userAgent: null, address: null } },
    later(3 * MINUTE_MS),
  ).account;
  account = noteThrottled(
    sendLink(account, 'reset-password', later(4 * MINUTE_MS)).account,
    later(5 * MINUTE_MS),
  ).account;
  const change = { ...newLink('confirm-email', later(6 * MINUTE_MS)), newEmail: 'Ada@Lovelace.example' };
  account = withMail(withLink(account, change).account, 'email-changed', later(6 * MINUTE_MS), 'before@example.com');
  const subscription: Subscription = {
    id: 'sub_full',
    plan: 'enterprise',
    interval: 'year',
    status: 'past_due',
    currentPeriodEnd: later(90 * DAY_MS),
    endsAt: later(80 * DAY_MS),
    pastDueSince: later(-DAY_MS),
    collectionPause: { resumesAt: later(40 * DAY_MS) },
  };
  const billing = {
    customerId: 'cus_full',
    subscription,
    syncedAt: later(6),
    retryAt: later(7),
    isEmailOutdated: true,
    watchedUntil: later(8),
  };
  const publishableKeys = [
    {
      ...newPublishableKey(
        account.id,
        { name: 'Ünï "\u{1F511}"', origins: ['*.example.com', '[::1]'], dailyLimit: 5 },
        AT,
      ),
      lastUsedAt: later(8),
    },
    newPublishableKey(account.id, { name: 'any', origins: [], dailyLimit: null }, later(9)),
  ];
  const ownBrands = { pages: 'a1 b2', count: 2, changes: 3 };
  const features = { later: { dueAt: later(10).getTime(), value: { list: [1, null, { 'a.b': 'ü' }] } } };
  return {
    ...account,
    emailVerified: true,
    suspended: true,
    unlocks: 2,
    billing,
    publishableKeys,
    ownBrands,
    features,
  };
}

export const accountStoreContract = contract<AccountsUnderTest>('AccountStore', (under) => {
  // The times in the tests have milliseconds, to check that stores do not round them.
  beforeEach(() => under.clock.advance(123));

  async function kept(account: Account): Promise<Account> {
    expect(await under.accounts.insert(account)).to.equal('inserted');
    return account;
  }
  /** Makes a request with the key. The time of the key's last use is not stored until the next flush. */
  async function admit(apiKey: string): Promise<void> {
    const { accountId, hash: keyHash } = parseApiKey(apiKey)!;
    const admission = await under.admissions.admit({ accountId, keyHash, bucket: 'svg', charge: 'count' });
    expect(admission).to.include({ rejected: null });
  }
  async function use(apiKey: string): Promise<void> {
    await admit(apiKey);
    await under.flush();
  }
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => (error as { readonly code?: unknown }).code);
  const lastUse = async (id: AccountId): Promise<Date | null | undefined> =>
    (await under.accounts.find(id))?.key?.lastUsedAt;

  describe('writes and reads', () => {
    for (const [spelling, email, other] of [
      ['case', 'Ada@Example.com', 'ada@example.COM'],
      ['composition', 'jos\u00e9@example.com', 'jose\u0301@example.com'],
    ] as const) {
      it(`inserts an account once for every ${spelling} of its address`, async () => {
        await kept(someAccount({ email }).account);
        expect(await under.accounts.insert(someAccount({ email: other }).account)).to.equal('email_taken');
      });
    }

    it('returns every field, by id and by e-mail', async () => {
      const account = await kept(fullAccount());
      expect(account.sessions).to.have.length(3);
      expect(account.links).to.have.length(3);
      expect(account.mails).to.have.length(4);
      expect(await under.accounts.find(account.id)).to.deep.equal(account);
      expect(await under.accounts.findByEmail(emailIdentity(account.email))).to.deep.equal(account);
    });

    it('returns only the password record', async () => {
      const account = await kept(fullAccount());
      const { id, password, unlocks, deleting, version } = account;
      expect(await under.accounts.passwordOf(emailIdentity(account.email))).to.deep.equal({
        id,
        password,
        unlocks,
        deleting,
        version,
      });
      expect(await under.accounts.passwordOf('nobody@example.com')).to.equal(undefined);
      await under.accounts.save(nextOf(beginDeletion(account, undefined, AT).account, {}));
      expect(await under.accounts.passwordOf(emailIdentity(account.email))).to.include({
        deleting: true,
        version: 2 + account.version - 1,
      });
    });

    it('saves every field', async () => {
      const { account } = someAccount({ email: 'ada.lovelace@example.com' });
      await kept(account);
      const full = { ...fullAccount(), id: account.id, version: 2 };
      const unset = Object.keys(accountSchema.shape).filter((name) =>
        isDeepStrictEqual(full[name as keyof Account], account[name as keyof Account]),
      );
      expect(unset, 'fields that are not seen to be saved').to.deep.equal(['id', 'deleting']);
      expect(await under.accounts.save(full)).to.equal(true);
      expect(await under.accounts.find(account.id)).to.deep.equal(full);
      const bare = nextOf(full, { key: null, sessions: [], links: [], mails: [], throttleNoticeAt: null });
      expect(await under.accounts.save(bare)).to.equal(true);
      expect(await under.accounts.find(account.id)).to.deep.equal(bare);
    });

    it('finds an account by its new address only, and frees the old one', async () => {
      const account = await kept(someAccount({ email: 'Old@example.com' }).account);
      const moved = nextOf(account, { email: 'New@example.com' });
      expect(await under.accounts.save(moved)).to.equal(true);
      expect(await under.accounts.findByEmail('new@example.com')).to.deep.equal(moved);
      expect(await under.accounts.passwordOf('new@example.com')).to.include({ id: account.id });
      expect(await under.accounts.findByEmail('old@example.com')).to.equal(undefined);
      expect(await under.accounts.passwordOf('old@example.com')).to.equal(undefined);
      await kept(someAccount({ email: 'old@EXAMPLE.com' }).account);
    });

    it('writes the events with the account', async () => {
      const { account } = someAccount();
      await under.accounts.insert(account, eventOf(account, 'user_created'));
      const next = nextOf(account, { tier: 'pro' });
      await under.accounts.save(next, eventOf(next, 'authz_change'));
      const events = await under.audit.read(account.id, { limit: 10 });
      expect(events.map(({ type }) => type)).to.deep.equal(['authz_change', 'user_created']);
    });

    it('lists all of them by id, page by page', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 25; index++) ids.push((await kept(someAccount().account)).id);
      const seen: string[] = [];
      for (let after: AccountId | undefined; ;) {
        const page = await under.accounts.list({ ...(after !== undefined && { after }), limit: 10 });
        expect(page.length).to.be.at.most(10);
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1)?.id;
        if (page.length < 10) break;
      }
      expect(seen).to.deep.equal([...ids].sort());
    });
  });

  describe('concurrency', () => {
    it('inserts exactly one of many with the same identity', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: SAVERS }, () => under.accounts.insert(someAccount({ email: 'same@example.com' }).account)),
      );
      expect(outcomes.filter((outcome) => outcome === 'inserted')).to.have.length(1);
    });

    it('lets exactly one of many concurrent savers of a version win, repeatedly, and only keeps its events', async () => {
      let account = await kept(someAccount().account);
      for (let round = 0; round < 20; round++) {
        const candidates = Array.from({ length: SAVERS }, (_, index) =>
          nextOf(account, { throttleNoticeAt: later(round * 1000 + index) }),
        );
        const outcomes = await Promise.all(
          candidates.map((candidate) => under.accounts.save(candidate, eventOf(candidate))),
        );
        const winners = candidates.filter((_, index) => outcomes[index]);
        expect(winners).to.have.length(1);
        account = (await under.accounts.find(account.id))!;
        expect(account).to.deep.equal(winners[0]);
      }
      expect(await under.audit.read(account.id, { limit: 100 })).to.have.length(20);
    });
  });

  describe('one address, wanted by several', () => {
    it('is given to exactly one account, and the others and their events stay unchanged', async () => {
      const accounts: Account[] = [];
      for (let index = 0; index < SAVERS; index++) accounts.push(await kept(someAccount().account));
      const wanted = accounts.map((account, index) =>
        nextOf(account, { email: index % 2 === 0 ? 'wanted@example.com' : 'WANTED@Example.com' }),
      );
      const outcomes = await Promise.all(
        wanted.map((account) => codeOf(under.accounts.save(account, eventOf(account)))),
      );
      expect(outcomes.filter((outcome) => outcome === true)).to.have.length(1);
      expect(outcomes.filter((outcome) => outcome === 'email_taken')).to.have.length(SAVERS - 1);
      for (const [index, account] of accounts.entries()) {
        const isWinner = outcomes[index] === true;
        expect(await under.accounts.find(account.id)).to.deep.equal(isWinner ? wanted[index] : account);
        expect(await under.audit.read(account.id, { limit: 10 })).to.have.length(isWinner ? 1 : 0);
      }
    });

    it('belongs to a registration or to a change, never to both', async () => {
      for (let round = 0; round < 10; round++) {
        const email = `round${round}@example.com`;
        const account = await kept(someAccount().account);
        const [inserted, saved] = await Promise.all([
          under.accounts.insert(someAccount({ email }).account),
          codeOf(under.accounts.save(nextOf(account, { email }))),
        ]);
        expect([inserted, saved]).to.be.deep.oneOf([
          ['inserted', 'email_taken'],
          ['email_taken', true],
        ]);
      }
    });

    it('is rejected for its second account, which can be saved with another one', async () => {
      await kept(someAccount({ email: 'taken@example.com' }).account);
      const account = await kept(someAccount().account);
      expect(await codeOf(under.accounts.save(nextOf(account, { email: 'Taken@example.com' })))).to.equal(
        'email_taken',
      );
      expect(await under.accounts.save(nextOf(account, { tier: 'pro' }))).to.equal(true);
    });
  });

  describe('the last use of a key, which is of admissions', () => {
    it('survives a save that began before it', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      await kept(account);
      under.clock.advance(HOUR_MS);
      await use(apiKey);
      expect(await lastUse(account.id)).to.deep.equal(under.clock.date());
      expect(await under.accounts.save(nextOf(account, { tier: 'pro' }))).to.equal(true);
      expect(await lastUse(account.id)).to.deep.equal(under.clock.date());
    });

    it('does not pass to another key', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      await kept(account);
      await use(apiKey);
      const seen = (await under.accounts.find(account.id))!;
      await under.accounts.save(nextOf(regenerateKey(seen, undefined, AT).account, {}));
      expect(await lastUse(account.id)).to.equal(null);
      const revoked = nextOf(revokeKey((await under.accounts.find(account.id))!).account, {});
      await under.accounts.save(revoked);
      expect((await under.accounts.find(account.id))?.key).to.equal(null);
    });

    it('is not kept if it is written after its key was replaced', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      await kept(account);
      await admit(apiKey);
      const next = nextOf(regenerateKey(account, undefined, AT).account, {});
      expect(await under.accounts.save(next, [], account)).to.equal(true);
      await under.flush();
      expect((await under.table(ACCOUNTS).get(account.id))?.lastUses).to.deep.equal({});
    });

    it('of a publishable key is deleted with the key, and the others stay', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      const settings = { name: 'any', origins: [], dailyLimit: null };
      const [gone, stays] = [newPublishableKey(account.id, settings, AT), newPublishableKey(account.id, settings, AT)];
      const from = await kept({ ...account, publishableKeys: [gone, stays] });
      await admit(apiKey);
      for (const { raw } of [gone, stays]) {
        const { accountId, hash: keyHash } = parsePublishableKey(raw)!;
        const admission = await under.admissions.admit({
          ...{ accountId, keyHash, bucket: 'svg', charge: 'count' },
          ...{ allowingOrigins: [], visitor: '192.0.2.1' },
        });
        expect(admission).to.include({ rejected: null });
      }
      await under.flush();
      const stored = async () => Object.keys((await under.table(ACCOUNTS).get(account.id))?.lastUses ?? {});
      expect(await stored()).to.have.length(3);
      expect(await under.accounts.save(nextOf(from, { publishableKeys: [stays] }), [], from)).to.equal(true);
      expect(await stored()).to.have.members([keyId(from.key!.hash), stays.id]);
    });

    it('is corrected by the next use, if the clock was ahead at the last one', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      await kept(account);
      under.clock.advance(HOUR_MS);
      await use(apiKey);
      under.clock.advance(-HOUR_MS);
      await use(apiKey);
      expect(await lastUse(account.id)).to.deep.equal(under.clock.date());
    });

    it('is written at most once a minute, without a new version', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      await kept(account);
      await use(apiKey);
      const first = under.clock.date();
      under.clock.advance(MINUTE_MS - 1);
      await use(apiKey);
      expect(await lastUse(account.id)).to.deep.equal(first);
      under.clock.advance(1);
      await use(apiKey);
      expect(await lastUse(account.id)).to.deep.equal(under.clock.date());
      expect((await under.accounts.find(account.id))?.version).to.equal(1);
    });
  });

  describe('time', () => {
    const due = (what: DueWork, at: Date) => under.accounts.due(what, at, 10);

    it('returns an account when a session or link has expired, and not before', async () => {
      const { account } = someAccount({ at: AT });
      const signedIn = signIn(account, { passwordVersion: 1, origin: ORIGIN }, AT).account;
      await kept({ ...signedIn, links: [] });
      expect(await due('expiry', later(SESSION_IDLE_MS - 1))).to.deep.equal([]);
      expect(await due('expiry', later(SESSION_IDLE_MS))).to.deep.equal([account.id]);
      await under.accounts.save(nextOf(sendLink(signedIn, 'reset-password', AT).account, {}));
      expect(await due('expiry', later(30 * MINUTE_MS - 1))).to.deep.equal([]);
      expect(await due('expiry', later(30 * MINUTE_MS))).to.deep.equal([account.id]);
      await under.accounts.save({ ...account, sessions: [], links: [], version: 3 });
      expect(await due('expiry', later(400 * DAY_MS))).to.deep.equal([]);
    });

    it('returns an account when its first mail is due', async () => {
      const { account } = someAccount({ at: AT });
      const [mail] = account.mails;
      await kept(account);
      expect(await due('mail', later(-1))).to.deep.equal([]);
      expect(await due('mail', AT)).to.deep.equal([account.id]);
      await under.accounts.save(nextOf(account, { mails: [{ ...mail!, dueAt: later(MINUTE_MS) }] }));
      expect(await due('mail', later(MINUTE_MS - 1))).to.deep.equal([]);
      expect(await due('mail', later(MINUTE_MS))).to.deep.equal([account.id]);
      await under.accounts.save({ ...account, mails: [], version: 3 });
      expect(await due('mail', later(400 * DAY_MS))).to.deep.equal([]);
    });

    it('returns an account when its plan ends or its customer was not synced for a day', async () => {
      const { account } = someAccount({ at: AT });
      const sold = setCustomer(account, 'cus_1', AT).account;
      const active: Subscription = {
        id: 'sub_1',
        plan: 'pro',
        interval: 'month',
        status: 'active',
        currentPeriodEnd: later(DAY_MS),
        endsAt: null,
        pastDueSince: null,
        collectionPause: null,
      };
      const synced = (subscription: Subscription) => setSubscription(sold, 'cus_1', { subscription, at: AT }).account;
      await kept(account);
      expect(await due('billing', later(400 * DAY_MS))).to.deep.equal([]);
      await under.accounts.save(nextOf(synced(active), {}));
      expect(await due('billing', later(DAY_MS - 1))).to.deep.equal([]);
      expect(await due('billing', later(DAY_MS))).to.deep.equal([account.id]);
      await under.accounts.save({ ...synced({ ...active, endsAt: later(HOUR_MS) }), version: 3 });
      expect(await due('billing', later(HOUR_MS - 1))).to.deep.equal([]);
      expect(await due('billing', later(HOUR_MS))).to.deep.equal([account.id]);
      expect(await due('billing', later(-2 * DAY_MS)), 'a clock was ahead').to.deep.equal([account.id]);
    });

    it('finds an account by its customer, and no customer has two accounts', async () => {
      const one = await kept(setCustomer(someAccount({ at: AT }).account, 'cus_1', AT).account);
      await kept(someAccount({ at: AT }).account);
      expect(await under.accounts.findByCustomer('cus_1')).to.deep.equal(one);
      expect(await under.accounts.findByCustomer('cus_2')).to.equal(undefined);
      const other = setCustomer(someAccount({ at: AT }).account, 'cus_1', AT).account;
      const outcome = await under.accounts.insert(other).then(String, () => 'rejected');
      expect(outcome).to.equal('rejected');
    });

    it('returns an account when a later feature has work', async () => {
      const { account } = someAccount({ at: AT });
      const value = (dueAt: Date | null) => ({ dueAt: dueAt?.getTime() ?? null, value: {} });
      await kept({ ...account, features: { one: value(later(MINUTE_MS)), other: value(null) } });
      await kept({ ...someAccount().account, features: { one: value(null) } });
      expect(await due('features', later(MINUTE_MS - 1))).to.deep.equal([]);
      expect(await due('features', later(MINUTE_MS))).to.deep.equal([account.id]);
    });

    it('returns the accounts that wait for a feature or the payment provider longest first', async () => {
      const ids: AccountId[] = [];
      for (const minutes of [3, 1, 4, 2]) {
        const at = later(minutes * MINUTE_MS);
        const sold = setCustomer(someAccount({ at: AT }).account, `cus_${minutes}`, AT).account;
        const billing = { ...sold.billing!, retryAt: at };
        ids.push((await kept({ ...sold, billing, features: { one: { dueAt: at.getTime(), value: {} } } })).id);
      }
      const first = [ids[1], ids[3], ids[0]];
      for (const what of ['features', 'billing'] as const)
        expect(await under.accounts.due(what, later(HOUR_MS), 3), what).to.deep.equal(first);
    });

    it('returns an account whose feature has work later than in a day: a clock was ahead', async () => {
      const features = { one: { dueAt: later(DAY_MS).getTime(), value: {} } };
      const { id } = await kept({ ...someAccount().account, features });
      expect(await due('features', AT)).to.deep.equal([]);
      expect(await due('features', later(-1))).to.deep.equal([id]);
    });

    it('treats times later than any valid one as due: a clock was ahead', async () => {
      const { account } = someAccount({ at: AT });
      await kept(signIn(account, { passwordVersion: 1, origin: ORIGIN }, AT).account);
      for (const what of ['expiry', 'mail'] as const) {
        expect(await due(what, later(-365 * DAY_MS)), what).to.deep.equal([account.id]);
        expect(await due(what, later(-MINUTE_MS)), what).to.deep.equal([]);
      }
    });

    it('returns accounts that are being deleted, and at most `limit`', async () => {
      for (let index = 0; index < 5; index++) {
        const account = await kept(someAccount().account);
        if (index > 0) await under.accounts.save(nextOf(beginDeletion(account, undefined, AT).account, {}));
      }
      expect(await due('deletion', AT)).to.have.length(4);
      expect(await under.accounts.due('deletion', AT, 3)).to.have.length(3);
    });
  });

  describe('rejection', () => {
    it('writes neither account nor events for an outdated version', async () => {
      const account = await kept(someAccount().account);
      for (const version of [1, 3, 99]) {
        const stale = { ...account, tier: 'pro', version } as const;
        expect(await under.accounts.save(stale, eventOf(stale)), `version ${version}`).to.equal(false);
      }
      expect(await under.accounts.save(nextOf(someAccount().account, {})), 'nobody').to.equal(false);
      expect(await under.accounts.find(account.id)).to.deep.equal(account);
      expect(await under.audit.read(account.id, { limit: 10 })).to.deep.equal([]);
    });

    it('writes no event for an account that was not inserted', async () => {
      await kept(someAccount({ email: 'taken@example.com' }).account);
      const { account } = someAccount({ email: 'taken@example.com' });
      expect(await under.accounts.insert(account, eventOf(account))).to.equal('email_taken');
      expect(await under.audit.read(account.id, { limit: 10 })).to.deep.equal([]);
      expect(await under.accounts.find(account.id)).to.equal(undefined);
    });

    it('keeps neither account nor event when an event cannot be written', async () => {
      const account = await kept(someAccount().account);
      const next = nextOf(account, { tier: 'pro' });
      const [event] = eventOf(next);
      const outcome = await under.accounts.save(next, [event!, event!]).then(
        () => 'saved',
        () => 'failed',
      );
      expect(outcome).to.equal('failed');
      expect(await under.accounts.find(account.id)).to.deep.equal(account);
      expect(await under.audit.read(account.id, { limit: 10 })).to.deep.equal([]);
    });

    it('only removes accounts that are being deleted, with their counters, and keeps their events', async () => {
      const { account, apiKey } = someAccount({ at: AT });
      await under.accounts.insert(account, eventOf(account, 'user_created'));
      await use(apiKey);
      await under.accounts.remove(account.id);
      const used = (await under.accounts.find(account.id))!;
      await under.accounts.save(nextOf(beginDeletion(used, undefined, AT).account, {}));
      await under.accounts.remove(account.id);
      expect(await under.accounts.find(account.id)).to.equal(undefined);
      expect(await under.accounts.findByEmail(emailIdentity(account.email))).to.equal(undefined);
      expect(await under.audit.read(account.id, { limit: 10 })).to.have.length(1);
      // A new account with the id of a deleted account must start with usage 0.
      await kept(account);
      const { accountId, hash } = parseApiKey(apiKey)!;
      expect(await under.admissions.usage({ accountId, keyHash: hash })).to.have.nested.property('used.svg', 0);
      const counts = (await under.history.range(accountId, ALL_DAYS)).flatMap((day) => Object.values(day.used));
      expect(counts.filter((count) => count > 0)).to.deep.equal([]);
    });

    it('finds no missing account', async () => {
      expect(await under.accounts.find('nobody' as AccountId)).to.equal(undefined);
      expect(await under.accounts.findByEmail('nobody@example.com')).to.equal(undefined);
    });
  });
});
