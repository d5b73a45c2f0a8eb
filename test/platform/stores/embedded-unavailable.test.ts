// Every method of every embedded store while the database is unusable. A method must return, or reject with
// `unavailable`, but never with an error of SQLite.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { readPlans } from '../../../config/plans.js';
import { openEmbeddedQuotaAdmissions } from '../../../src/metering/quota-admissions.sqlite.js';
import type { Database } from '../../../src/platform/stores/sqlite/guarded-database.js';
import { auditEvents } from '../../../src/accounts/audit-event.js';
import type { Slug } from '../../../src/catalog/entry.js';
import { NO_RESPONSES } from '../../../src/metering/day-responses.js';
import { utcDay } from '../../../src/platform/utc-day.js';
import { AppError } from '../../../src/platform/errors.js';
import type { ImportSession } from '../../../src/catalog/catalog-store.js';
import type { Stores } from '../../../src/platform/stores/stores.js';
import { newDelivery } from '../../../src/webhooks/delivery.js';
import { someAccount } from '../../support/accounts.js';
import { all, beginImport, each } from '../../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../../support/entries.js';
import { HOUR_MS } from '../../support/clock.js';
import { recordStores, testStores } from '../../support/stores.js';
import { missingIcon } from '../../site-icons/site-icon-records.js';
import { temporaryDatabase } from '../../support/temporary.js';

interface Call {
  readonly does: 'read' | 'write' | 'neither';
  readonly run: () => unknown;
}
/** Calls of all methods of a store, by name of the method. */
type CallsOf<Store> = Readonly<Record<keyof Store, Call>>;
/** Ports that use the database. The embedded family keeps visitor counters and locks in memory. */
type StoredPort = Exclude<
  keyof Stores,
  'checks' | 'signingSecret' | 'readIntact' | 'close' | 'locks' | 'visitorCounters'
>;
type Calls = { readonly [Port in StoredPort]: CallsOf<Stores[Port]> } & { readonly import: CallsOf<ImportSession> };

const reads = (run: Call['run']): Call => ({ does: 'read', run });
const writes = (run: Call['run']): Call => ({ does: 'write', run });

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const DAY = utcDay(AT.getTime());
const DAYS = { from: DAY, to: DAY };
const SLUG = 'github' as Slug;
const SOURCE = 'package:test';
const DELIVERY = newDelivery(
  { id: 'Acc0unt00001Endp0int0001' },
  { id: 'evt_1', kind: 'webhook.test', atMs: AT.getTime(), data: {} },
);
const PAYMENT_EVENT = { id: 'evt_1', type: 'customer.subscription.updated', customerId: 'cus_1', createdAt: AT };
const LIMITS = [{ key: 'a', rules: [{ limit: 10, windowMs: HOUR_MS }] }];
const SLOT = { job: 'expiry', slotMs: AT.getTime() };
const BY = { kind: 'customer', address: null } as const;

/** Opens a database with an account, counters, a catalog, and an import in progress. */
async function openStores() {
  const { db, path, close } = temporaryDatabase();
  const stores = await testStores({ db, dataDir: path, now: () => AT.getTime() });
  const { accounts, admissions, audit, catalog, jobSlots, rateLimits, resetRequests } = stores;
  const {
    logoReports,
    missingNames,
    ownBrandTexts,
    paymentEvents,
    responses,
    siteIconStore,
    usage,
    webhookDeliveries,
  } = stores;
  const { account } = someAccount({ at: AT });
  await accounts.insert(account);
  const leaving = { ...someAccount({ at: AT }).account, deleting: true };
  await accounts.insert(leaving);
  const credential = { accountId: account.id, keyHash: account.key!.hash };
  const request = { ...credential, bucket: 'svg', charge: 'count' } as const;
  await admissions.admit(request);
  const counted = [{ accountId: account.id, ...NO_RESPONSES }];
  await responses.add({ id: 'first', day: DAY, accounts: counted });
  await paymentEvents.add(PAYMENT_EVENT, AT);
  await webhookDeliveries.add([DELIVERY]);
  const first = await beginImport(catalog);
  await first.putSource(sourceOf(SOURCE));
  await first.publish({ entries: each([entryOf(SLUG)]), redirects: [] }, AT);
  await first.close();
  const session = await beginImport(catalog);
  const calls = {
    accounts: {
      insert: writes(() => accounts.insert(someAccount().account)),
      find: reads(() => accounts.find(account.id)),
      findByEmail: reads(() => accounts.findByEmail(account.email)),
      findByCustomer: reads(() => accounts.findByCustomer('cus_1')),
      passwordOf: reads(() => accounts.passwordOf(account.email)),
      save: writes(() => accounts.save({ ...account, version: account.version + 1 })),
      remove: writes(() => accounts.remove(leaving.id)),
      list: reads(() => accounts.list({ limit: 10 })),
      due: reads(() => accounts.due('expiry', AT, 10)),
    },
    admissions: {
      admit: writes(() => admissions.admit(request)),
      refund: writes(() => admissions.refund({ ...credential, bucket: 'svg', day: DAY })),
      usage: reads(() => admissions.usage(credential)),
      usageOf: reads(() => admissions.usageOf(account.id)),
    },
    audit: {
      append: writes(() => audit.append(auditEvents([{ type: 'authn_login_fail' }], { account, by: BY, at: AT }))),
      read: reads(() => audit.read(account.id, { limit: 10 })),
      prune: writes(() => audit.prune(AT)),
    },
    rateLimits: {
      consume: writes(() => rateLimits.consume(LIMITS)),
      refund: writes(() => rateLimits.refund(LIMITS)),
      reset: writes(() => rateLimits.reset('a')),
      prune: writes(() => rateLimits.prune()),
    },
    jobSlots: {
      claim: writes(() => jobSlots.claim(SLOT, HOUR_MS)),
      finish: writes(() => jobSlots.finish(SLOT, null)),
      latest: reads(() => jobSlots.latest()),
    },
    resetRequests: {
      add: writes(() => resetRequests.add({ id: 'a', identity: 'ada@example.com', by: BY, requestedAt: AT })),
      storedUntil: reads(() => resetRequests.storedUntil(AT, 10)),
      remove: writes(() => resetRequests.remove('a')),
    },
    ownBrandTexts: {
      get: reads(() => ownBrandTexts.get(account.id, ['a'])),
      add: writes(() => ownBrandTexts.add(account.id, [{ id: 'b', text: '[]' }])),
      remove: writes(() => ownBrandTexts.remove(account.id, ['a'])),
      removeAll: writes(() => ownBrandTexts.removeAll(account.id)),
      ids: reads(() => ownBrandTexts.ids(account.id)),
    },
    paymentEvents: {
      add: writes(() => paymentEvents.add({ ...PAYMENT_EVENT, id: 'evt_2' }, AT)),
      expectEvent: writes(() =>
        paymentEvents.expectEvent({ subscriptionId: 'sub_1', customerId: 'cus_1', foundAt: AT, dueAt: AT }),
      ),
      claim: writes(() => paymentEvents.claim(AT, { limit: 10, claimMs: 1000 })),
      finish: writes(() => paymentEvents.finish('evt_1', AT)),
      postpone: writes(() => paymentEvents.postpone('evt_1', { dueAt: AT, error: 'away' })),
      replay: writes(() => paymentEvents.replay('evt_1', AT)),
      latest: reads(() => paymentEvents.latest({ limit: 10 })),
      unfinished: reads(() => paymentEvents.unfinished()),
      prune: writes(() => paymentEvents.prune(AT)),
    },
    responses: {
      add: writes(() => responses.add({ id: 'a', day: DAY, accounts: counted })),
      range: reads(() => responses.range(account.id, DAYS)),
      remove: writes(() => responses.remove(account.id)),
      prune: writes(() => responses.prune(DAY)),
    },
    logoReports: {
      add: writes(() => logoReports.add({ slug: SLUG, reason: 'other', comment: null, at: AT })),
      list: reads(() => logoReports.list()),
      remove: writes(() => logoReports.remove(SLUG)),
    },
    missingNames: {
      put: writes(() => missingNames.put('a', { day: DAY, names: [] })),
      range: reads(() => missingNames.range(DAYS)),
      prune: writes(() => missingNames.prune(DAY)),
    },
    siteIconStore: {
      get: reads(() => siteIconStore.get('a.example')),
      put: writes(() => siteIconStore.put(missingIcon('b.example', 1))),
      remove: writes(() => siteIconStore.remove(['a.example'])),
      hosts: reads(() => siteIconStore.hosts('')),
      due: reads(() => siteIconStore.due(AT, 10)),
      leastUsed: reads(() => siteIconStore.leastUsed(10)),
      size: reads(() => siteIconStore.size()),
    },
    usage: {
      range: reads(() => usage.range(account.id, DAYS)),
      remove: writes(() => usage.remove(account.id)),
      prune: writes(() => usage.prune(DAY)),
    },
    import: {
      putDrawings: writes(() => session.putDrawings([{ etag: 'etag', svg: '<svg/>' }])),
      putSource: writes(() => session.putSource(sourceOf('package:other'))),
      dropSource: writes(() => session.dropSource(SOURCE)),
      putCandidates: writes(() => session.putCandidates(SOURCE, [candidateOf('a')])),
      sources: reads(() => session.sources()),
      candidates: reads(() => all(session.candidates(SOURCE))),
      revisions: reads(() => all(session.revisions())),
      publish: writes(() => session.publish({ entries: each([entryOf('gitlab')]), redirects: [] }, AT)),
      // There is no previous version of the catalog to restore, so the call only reads.
      rollBack: reads(() => session.rollBack(AT)),
      close: { does: 'neither', run: () => session.close() },
    },
    webhookDeliveries: {
      add: writes(() => webhookDeliveries.add([{ ...DELIVERY, id: `${DELIVERY.endpointId}.evt_2` }])),
      claim: writes(() => webhookDeliveries.claim(AT, { limit: 10, claimMs: 1000 })),
      first: reads(() => webhookDeliveries.first(DELIVERY.endpointId)),
      save: writes(() => webhookDeliveries.save({ ...DELIVERY, version: 2 })),
      release: writes(async () => {
        const queue = { id: DELIVERY.endpointId, dueAt: AT, claimedUntil: null, failingSince: null, version: 2 };
        await webhookDeliveries.release({ ...queue, failingSince: null });
      }),
      wake: writes(() => webhookDeliveries.wake(DELIVERY.endpointId, AT)),
      get: reads(() => webhookDeliveries.get(DELIVERY.id)),
      list: reads(() => webhookDeliveries.list(DELIVERY.endpointId, { limit: 10 })),
      failingSince: reads(() => webhookDeliveries.failingSince(DELIVERY.endpointId)),
      forgetFailures: writes(() => webhookDeliveries.forgetFailures(DELIVERY.endpointId)),
      remove: writes(() => webhookDeliveries.remove(DELIVERY.endpointId)),
      prune: writes(() => webhookDeliveries.prune(AT)),
    },
    // The catalog comes last, because it begins a new import. A new import is possible only after the import above has
    // ended.
    catalog: {
      state: reads(() => catalog.state()),
      find: reads(() => catalog.find(SLUG)),
      drawing: reads(() => catalog.drawing('etag')),
      entries: reads(() => all(catalog.entries())),
      sources: reads(() => catalog.sources()),
      redirects: reads(() => catalog.redirects()),
      withdrawals: reads(() => catalog.withdrawals()),
      withdraw: writes(() => catalog.withdraw(SLUG, 'a reason', AT)),
      // The entry is not withdrawn, so there is nothing to restore, and the call only reads.
      restore: reads(() => catalog.restore(SLUG)),
      beginImport: writes(() => catalog.beginImport()),
    },
  } satisfies Calls;
  return {
    db,
    file: join(path, 'blazon.sqlite'),
    calls,
    close: async () => {
      await stores.close();
      close();
    },
  };
}

async function outcomeOf({ run }: Call): Promise<string> {
  try {
    await run();
    return 'an answer';
  } catch (error) {
    if (!(error instanceof AppError)) return String(error);
    return `${error.code}, come back in ${error.retryAfterSeconds ?? 0} s`;
  }
}

interface Locked {
  readonly db: Database;
  readonly file: string;
}

function lockedBeside({ file }: Locked): () => void {
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  return () => other.close();
}

/**
 * States of the database. `works`: kinds of calls that still work in the state. `begin` causes the state, and returns a
 * function that ends it.
 */
const STATES: Readonly<
  Record<string, { readonly works: readonly Call['does'][]; readonly begin: (locked: Locked) => () => void }>
> = {
  'locked by another connection': { works: ['read', 'neither'], begin: lockedBeside },
  // Without a write-ahead log, a writer blocks all readers.
  'locked by another connection for readers as well': {
    works: ['neither'],
    begin(locked) {
      locked.db.exec('PRAGMA journal_mode = DELETE');
      return lockedBeside(locked);
    },
  },
  'only to be read': {
    works: ['read', 'neither'],
    begin({ db }) {
      db.exec('PRAGMA query_only = ON');
      return () => db.exec('PRAGMA query_only = OFF');
    },
  },
};

describe('embedded stores', () => {
  for (const [state, { works, begin }] of Object.entries(STATES)) {
    it(`report it in every method while the database is ${state}, and continue afterwards`, async () => {
      const { db, file, calls, close } = await openStores();
      db.exec('PRAGMA busy_timeout = 5');
      const end = begin({ db, file });
      for (const [store, methods] of Object.entries<Readonly<Record<string, Call>>>(calls)) {
        for (const [method, call] of Object.entries(methods)) {
          const expected = works.includes(call.does) ? 'an answer' : 'unavailable, come back in 2 s';
          expect(await outcomeOf(call), `${store}.${method}`).to.equal(expected);
          expect(db.isTransaction, `${store}.${method}`).to.equal(false);
        }
      }
      end();
      for (const call of [
        calls.accounts.insert,
        calls.admissions.admit,
        calls.rateLimits.consume,
        calls.catalog.withdraw,
      ])
        expect(await outcomeOf(call)).to.equal('an answer');
      await close();
    });
  }

  it('answer while the last use of a key cannot be written, and write it afterwards', async () => {
    const { db, close } = temporaryDatabase();
    const { account } = someAccount({ at: AT });
    const accounts = recordStores(db).accounts;
    await accounts.insert(account);
    const options = { db, plans: readPlans(), now: () => AT.getTime() };
    const admissions = openEmbeddedQuotaAdmissions(options);
    const lastUse = async () => (await accounts.find(account.id))?.key?.lastUsedAt;
    db.exec('PRAGMA query_only = ON');
    const request = { accountId: account.id, keyHash: account.key!.hash, bucket: 'svg', charge: 'verify' } as const;
    expect(await admissions.admit(request)).to.include({ rejected: null });
    expect(await outcomeOf({ does: 'write', run: () => admissions.flush() })).to.include('unavailable');
    db.exec('PRAGMA query_only = OFF');
    expect(await lastUse()).to.equal(null);
    await admissions.flush();
    expect(await lastUse()).to.deep.equal(AT);
    await admissions.close();
    close();
  });
});
