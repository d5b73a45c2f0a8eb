// What every method of every embedded store says while the database cannot be used: an answer, or `unavailable`; no
// error of SQLite's.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { readPlans } from '../../config/plans.js';
import { openEmbeddedQuotaAdmissions } from '../../src/adapters/embedded/accounts/quota-admissions.js';
import { createEmbeddedRateLimits } from '../../src/adapters/embedded/accounts/rate-limits.js';
import { migrateCatalog } from '../../src/adapters/embedded/catalog/schema.js';
import { createEmbeddedCatalogStore } from '../../src/adapters/embedded/catalog/catalog-store.js';
import { createEmbeddedUsageHistory } from '../../src/adapters/embedded/accounts/usage-history.js';
import type { Account } from '../../src/domain/account/account.js';
import { parseApiKey } from '../../src/domain/account/api-key.js';
import { auditEvents } from '../../src/domain/account/audit-event.js';
import type { Slug } from '../../src/domain/catalog/entry.js';
import { NO_RESPONSES } from '../../src/domain/metering/day-responses.js';
import { utcDay } from '../../src/domain/metering/utc-day.js';
import { AppError } from '../../src/errors.js';
import type { AccountStore } from '../../src/ports/account-store.js';
import type { QuotaAdmissions } from '../../src/ports/quota-admissions.js';
import type { AuditLog } from '../../src/ports/audit-log.js';
import type { RateLimits } from '../../src/ports/rate-limits.js';
import type { CatalogStore, ImportSession } from '../../src/ports/catalog-store.js';
import type { JobSlots } from '../../src/ports/job-slots.js';
import type { PaymentEvents } from '../../src/ports/payment-events.js';
import type { PasswordResetRequests } from '../../src/ports/password-reset-requests.js';
import type { ResponseHistory } from '../../src/ports/response-history.js';
import type { UsageHistory } from '../../src/ports/usage-history.js';
import { someAccount } from '../support/accounts.js';
import { all, each } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { HOUR_MS } from '../support/clock.js';
import { recordStores } from '../support/stores.js';
import { temporaryDatabase } from '../support/temporary.js';

interface Call {
  readonly does: 'read' | 'write' | 'neither';
  readonly run: () => unknown;
}
/** One call of each method: the compiler asks for those that are missing. */
type CallsOf<Store> = Readonly<Record<keyof Store, Call>>;

const reads = (run: Call['run']): Call => ({ does: 'read', run });
const writes = (run: Call['run']): Call => ({ does: 'write', run });

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const DAY = utcDay(AT.getTime());
const SLUG = 'github' as Slug;
const SOURCE = 'package:test';
const PAYMENT_EVENT = { id: 'evt_1', type: 'customer.subscription.updated', customerId: 'cus_1', createdAt: AT };

function accountCalls(
  store: AccountStore,
  { account }: ReturnType<typeof someAccount>,
  leaving: Account,
): CallsOf<AccountStore> {
  return {
    insert: writes(() => store.insert(someAccount().account)),
    find: reads(() => store.find(account.id)),
    findByEmail: reads(() => store.findByEmail(account.email)),
    findByCustomer: reads(() => store.findByCustomer('cus_1')),
    passwordOf: reads(() => store.passwordOf(account.email)),
    save: writes(() => store.save({ ...account, version: account.version + 1 })),
    remove: writes(() => store.remove(leaving.id)),
    list: reads(() => store.list({ limit: 10 })),
    due: reads(() => store.due('expiry', AT, 10)),
  };
}

function admissionCalls(
  admissions: QuotaAdmissions,
  { account, apiKey }: ReturnType<typeof someAccount>,
): CallsOf<QuotaAdmissions> {
  const credential = { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
  return {
    admit: writes(() => admissions.admit({ ...credential, bucket: 'svg', charge: 'count' })),
    refund: writes(() =>
      admissions.refund({
        accountId: account.id,
        keyHash: account.key!.hash,
        bucket: 'svg',
        day: utcDay(AT.getTime()),
      }),
    ),
    usage: reads(() => admissions.usage(credential)),
    usageOf: reads(() => admissions.usageOf(account.id)),
  };
}

function auditCalls(audit: AuditLog, { account }: ReturnType<typeof someAccount>): CallsOf<AuditLog> {
  const events = auditEvents([{ type: 'authn_login_fail' }], {
    account,
    by: { kind: 'customer', address: null },
    at: AT,
  });
  return {
    append: writes(() => audit.append(events)),
    read: reads(() => audit.read(account.id, { limit: 10 })),
    prune: writes(() => audit.prune(AT)),
  };
}

function rateLimitCalls(rateLimits: RateLimits): CallsOf<RateLimits> {
  const budget = [{ key: 'a', rules: [{ limit: 10, windowMs: HOUR_MS }] }];
  return {
    consume: writes(() => rateLimits.consume(budget)),
    refund: writes(() => rateLimits.refund(budget)),
    reset: writes(() => rateLimits.reset('a')),
    prune: writes(() => rateLimits.prune()),
  };
}

function slotCalls(slots: JobSlots): CallsOf<JobSlots> {
  const slot = { job: 'expiry', slotMs: AT.getTime() };
  return {
    claim: writes(() => slots.claim(slot, HOUR_MS)),
    finish: writes(() => slots.finish(slot, null)),
    latest: reads(() => slots.latest()),
  };
}

function resetRequestCalls(requests: PasswordResetRequests): CallsOf<PasswordResetRequests> {
  const request = {
    id: 'a',
    identity: 'ada@example.com',
    by: { kind: 'customer', address: null },
    requestedAt: AT,
  } as const;
  return {
    add: writes(() => requests.add(request)),
    storedUntil: reads(() => requests.storedUntil(AT, 10)),
    remove: writes(() => requests.remove('a')),
  };
}

const usageCalls = (history: UsageHistory, { account }: ReturnType<typeof someAccount>): CallsOf<UsageHistory> => ({
  range: reads(() => history.range(account.id, { from: DAY, to: DAY })),
  remove: writes(() => history.remove(account.id)),
  prune: writes(() => history.prune(DAY)),
});

const responseCalls = (
  history: ResponseHistory,
  { account }: ReturnType<typeof someAccount>,
): CallsOf<ResponseHistory> => ({
  add: writes(() => history.add({ id: 'a', day: DAY, accounts: [{ accountId: account.id, ...NO_RESPONSES }] })),
  range: reads(() => history.range(account.id, { from: DAY, to: DAY })),
  remove: writes(() => history.remove(account.id)),
  prune: writes(() => history.prune(DAY)),
});

function catalogCalls(store: CatalogStore): CallsOf<CatalogStore> {
  return {
    state: reads(() => store.state()),
    find: reads(() => store.find(SLUG)),
    drawing: reads(() => store.drawing('etag')),
    entries: reads(() => all(store.entries())),
    sources: reads(() => store.sources()),
    redirects: reads(() => store.redirects()),
    withdrawals: reads(() => store.withdrawals()),
    withdraw: writes(() => store.withdraw(SLUG, 'a reason', AT)),
    restore: writes(() => store.restore(SLUG)),
    beginImport: writes(() => store.beginImport()),
  };
}

function paymentEventCalls(events: PaymentEvents): CallsOf<PaymentEvents> {
  return {
    add: writes(() => events.add({ ...PAYMENT_EVENT, id: 'evt_2' }, AT)),
    claim: writes(() => events.claim(AT, { limit: 10, leaseMs: 1000 })),
    finish: writes(() => events.finish('evt_1', AT)),
    postpone: writes(() => events.postpone('evt_1', { dueAt: AT, error: 'away' })),
    replay: writes(() => events.replay('evt_1', AT)),
    latest: reads(() => events.latest({ limit: 10 })),
    unfinished: reads(() => events.unfinished()),
    prune: writes(() => events.prune(AT)),
  };
}

function importCalls(session: ImportSession): CallsOf<ImportSession> {
  return {
    putDrawings: writes(() => session.putDrawings([{ etag: 'etag', svg: '<svg/>' }])),
    putSource: writes(() => session.putSource(sourceOf('package:other'))),
    dropSource: writes(() => session.dropSource(SOURCE)),
    putCandidates: writes(() => session.putCandidates(SOURCE, [candidateOf('a')])),
    sources: reads(() => session.sources()),
    candidates: reads(() => all(session.candidates(SOURCE))),
    revisions: reads(() => all(session.revisions())),
    publish: writes(() => session.publish({ entries: each([entryOf('gitlab')]), redirects: [] }, AT)),
    // There is none before: it only looks.
    rollBack: reads(() => session.rollBack(AT)),
    close: { does: 'neither', run: () => session.close() },
  };
}

/** A database with an account, counters and a catalog; an import is under way. */
async function openStores() {
  const { db, path, close } = temporaryDatabase();
  migrateCatalog(db);
  const now = () => AT.getTime();
  const customer = someAccount({ at: AT });
  const accounts = recordStores(db).accounts;
  await accounts.insert(customer.account);
  const leaving = { ...someAccount({ at: AT }).account, deleting: true };
  await accounts.insert(leaving);
  const admissions = openEmbeddedQuotaAdmissions({ db, plans: readPlans(), now });
  const { accountId, hash: keyHash } = parseApiKey(customer.apiKey)!;
  await admissions.admit({ accountId, keyHash, bucket: 'svg', charge: 'count' });
  const { responses, jobSlots, resetRequests, paymentEvents } = recordStores(db, now);
  await responses.add({ id: 'first', day: DAY, accounts: [{ accountId, ...NO_RESPONSES }] });
  await paymentEvents.add(PAYMENT_EVENT, AT);
  const catalog = createEmbeddedCatalogStore(db);
  const first = (await catalog.beginImport())!;
  await first.putSource(sourceOf(SOURCE));
  await first.publish({ entries: each([entryOf(SLUG)]), redirects: [] }, AT);
  await first.close();
  const session = (await catalog.beginImport())!;
  const calls = {
    accounts: accountCalls(accounts, customer, leaving),
    admissions: admissionCalls(admissions, customer),
    'audit log': auditCalls(recordStores(db).audit, customer),
    'rate limits': rateLimitCalls(createEmbeddedRateLimits(db, now)),
    'job slots': slotCalls(jobSlots),
    'password reset requests': resetRequestCalls(resetRequests),
    'payment events': paymentEventCalls(paymentEvents),
    'response history': responseCalls(responses, customer),
    'usage history': usageCalls(createEmbeddedUsageHistory(db), customer),
    import: importCalls(session),
    // Its own import can only begin where the one above has ended.
    catalog: catalogCalls(catalog),
  };
  return { db, file: join(path, 'blazon.sqlite'), calls, close };
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

type Locked = Pick<Awaited<ReturnType<typeof openStores>>, 'db' | 'file'>;

function lockedBeside({ file }: Locked): () => void {
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  return () => other.close();
}

/** In what state the database is brought, and what still works then. Gives what ends it. */
const STATES: Readonly<
  Record<string, { readonly works: readonly Call['does'][]; readonly begin: (locked: Locked) => () => void }>
> = {
  'locked by another connection': { works: ['read', 'neither'], begin: lockedBeside },
  // Without a write-ahead log, the writer keeps readers out too.
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
    it(`say so in every method while the database is ${state}, and go on afterwards`, async () => {
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
        calls['rate limits'].consume,
        calls.catalog.withdraw,
      ])
        expect(await outcomeOf(call)).to.equal('an answer');
      close();
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
