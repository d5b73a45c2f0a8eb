// The contract suites on SQLite.
import { openEmbeddedQuotaAdmissions } from '../../src/adapters/embedded/accounts/quota-admissions.js';
import { createEmbeddedRateLimits } from '../../src/adapters/embedded/accounts/rate-limits.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { createEmbeddedUsageHistory } from '../../src/adapters/embedded/accounts/usage-history.js';
import { embeddedTables } from '../../src/adapters/embedded/tables.js';
import { readPlans } from '../../config/plans.js';
import { temporaryDatabase } from '../support/temporary.js';
import { recordStores } from '../support/stores.js';
import { writtenAtOnce } from '../support/written-at-once.js';
import { accountStoreContract } from './account-store.contract.js';
import { publishableAdmissionsContract } from './publishable-admissions.contract.js';
import { admissionsContract, PLANS, storedLastUse, type OpenAdmissions } from './quota-admissions.contract.js';
import { auditLogContract } from './audit-log.contract.js';
import { budgetsContract } from './rate-limits.contract.js';
import { jobSlotsContract } from './job-slots.contract.js';
import { paymentEventsContract } from './payment-events.contract.js';
import { tablesContract } from './tables.contract.js';
import { passwordResetRequestsContract } from './password-reset-requests.contract.js';
import { responseHistoryContract } from './response-history.contract.js';
import { usageHistoryContract } from './usage-history.contract.js';

/** A database, and more connections to its file as other processes have them. */
function openDatabases() {
  const { db, path, close } = temporaryDatabase();
  const others: ReturnType<typeof openDatabase>[] = [];
  return {
    db,
    another: () => {
      const other = openDatabase(path);
      others.push(other);
      return other;
    },
    close: () => {
      for (const other of others) other.close();
      close();
    },
  };
}

accountStoreContract('embedded', ({ now }) => {
  const { db, close } = temporaryDatabase();
  return {
    store: recordStores(db).accounts,
    audit: recordStores(db).audit,
    admissions: writtenAtOnce(openEmbeddedQuotaAdmissions({ db, plans: readPlans(), now })),
    close,
  };
});

const openAdmissions: OpenAdmissions = ({ now }) => {
  const { db, close } = temporaryDatabase();
  const admissions = openEmbeddedQuotaAdmissions({ db, plans: PLANS, now });
  const accounts = recordStores(db).accounts;
  return { admissions, accounts, flush: admissions.flush, lastUse: storedLastUse({ accounts }), close };
};
admissionsContract('embedded', openAdmissions);
publishableAdmissionsContract('embedded', openAdmissions);

auditLogContract('embedded', () => {
  const { db, close } = temporaryDatabase();
  return { audit: recordStores(db).audit, close };
});

budgetsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return {
    budgets: createEmbeddedRateLimits(db, now),
    reopened: () => createEmbeddedRateLimits(another(), now),
    close,
  };
});

jobSlotsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return { slots: recordStores(db, now).jobSlots, beside: () => recordStores(another(), now).jobSlots, close };
});

passwordResetRequestsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return {
    requests: recordStores(db, now).resetRequests,
    reopened: () => recordStores(another(), now).resetRequests,
    close,
  };
});

paymentEventsContract('embedded', () => {
  const { db, another, close } = openDatabases();
  return { events: recordStores(db).paymentEvents, reopened: () => recordStores(another()).paymentEvents, close };
});

responseHistoryContract('embedded', () => {
  const { db, close } = temporaryDatabase();
  return { history: recordStores(db).responses, accounts: recordStores(db).accounts, close };
});

tablesContract('embedded', () => {
  const { db, close } = temporaryDatabase();
  const damage = db.prepare("UPDATE paymentEvents SET record = json_set(record, '$.' || ?, 'many') WHERE id = ?");
  return { table: embeddedTables(db), damage: (id, field) => void damage.run(field, id), close };
});

usageHistoryContract('embedded', ({ now }) => {
  const { db, close } = temporaryDatabase();
  return {
    history: createEmbeddedUsageHistory(db),
    accounts: recordStores(db).accounts,
    admissions: openEmbeddedQuotaAdmissions({ db, plans: readPlans(), now }),
    close,
  };
});
