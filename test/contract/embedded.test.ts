// The contract suites on SQLite.
import { embeddedAccountStore } from '../../src/adapters/embedded/accounts/account-store.js';
import { embeddedAdmissions } from '../../src/adapters/embedded/accounts/quota-admissions.js';
import { embeddedAuditLog } from '../../src/adapters/embedded/accounts/audit-log.js';
import { embeddedBudgets } from '../../src/adapters/embedded/accounts/rate-limits.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { embeddedJobSlots } from '../../src/adapters/embedded/job-slots.js';
import { embeddedPasswordResetRequests } from '../../src/adapters/embedded/accounts/password-reset-requests.js';
import { embeddedUsageHistory } from '../../src/adapters/embedded/accounts/usage-history.js';
import { memoryLocks } from '../../src/adapters/embedded/locks.js';
import { readPlans } from '../../config/plans.js';
import { clockAt } from '../support/clock.js';
import { temporaryDatabase } from '../support/temporary.js';
import { accountStoreContract } from './account-store.contract.js';
import { admissionsContract } from './quota-admissions.contract.js';
import { auditLogContract } from './audit-log.contract.js';
import { budgetsContract } from './rate-limits.contract.js';
import { jobSlotsContract } from './job-slots.contract.js';
import { locksContract } from './locks.contract.js';
import { passwordResetRequestsContract } from './password-reset-requests.contract.js';
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
    store: embeddedAccountStore(db),
    audit: embeddedAuditLog(db),
    admissions: embeddedAdmissions({ db, plans: readPlans(), now }),
    close,
  };
});

admissionsContract('embedded', (plans, now) => {
  const { db, close } = temporaryDatabase();
  return { admissions: embeddedAdmissions({ db, plans, now }), accounts: embeddedAccountStore(db), close };
});

auditLogContract('embedded', () => {
  const { db, close } = temporaryDatabase();
  return { audit: embeddedAuditLog(db), close };
});

budgetsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return { budgets: embeddedBudgets(db, now), reopened: () => embeddedBudgets(another(), now), close };
});

jobSlotsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return { slots: embeddedJobSlots(db, now), beside: () => embeddedJobSlots(another(), now), close };
});

passwordResetRequestsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return {
    requests: embeddedPasswordResetRequests(db, now),
    reopened: () => embeddedPasswordResetRequests(another(), now),
    close,
  };
});

locksContract('in this process', () => {
  const clock = clockAt();
  return { locks: memoryLocks({ now: clock.now }), pass: clock.advance, close: () => undefined };
});

usageHistoryContract('embedded', ({ now }) => {
  const { db, close } = temporaryDatabase();
  return {
    history: embeddedUsageHistory(db),
    accounts: embeddedAccountStore(db),
    admissions: embeddedAdmissions({ db, plans: readPlans(), now }),
    close,
  };
});
