// Runs the contract tests of all ports on SQLite.
import { createEmbeddedRateLimits } from '../../../src/accounts/rate-limits.sqlite.js';
import { openEmbeddedQuotaAdmissions } from '../../../src/metering/quota-admissions.sqlite.js';
import { createEmbeddedUsageHistory } from '../../../src/metering/usage-history.sqlite.js';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import { embeddedTables } from '../../../src/platform/stores/sqlite/tables.js';
import type { Clock } from '../../support/clock.js';
import { recordStores } from '../../support/stores.js';
import { temporaryDatabase } from '../../support/temporary.js';
import { accountStoreContract } from '../../accounts/account-store.contract.js';
import { publishableAdmissionsContract } from '../../metering/publishable-admissions.contract.js';
import { admissionsContract, PLANS, storedLastUse } from '../../metering/quota-admissions.contract.js';
import { rateLimitsContract } from '../../accounts/rate-limits.contract.js';
import { usageHistoryContract } from '../../metering/usage-history.contract.js';
import { RECORD_CONTRACTS } from './record-contracts.js';

/** Opens a database. `another` opens one more connection to its file, as another process would. */
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

for (const suite of [accountStoreContract, admissionsContract, publishableAdmissionsContract, usageHistoryContract])
  suite('embedded', ({ now }: Clock) => {
    const { db, close } = temporaryDatabase();
    const { accounts, audit } = recordStores(db);
    const admissions = openEmbeddedQuotaAdmissions({ db, plans: PLANS, now });
    const { flush } = admissions;
    const history = createEmbeddedUsageHistory(db);
    const lastUse = storedLastUse({ accounts });
    return { accounts, audit, admissions, flush, lastUse, history, table: embeddedTables(db), close };
  });

for (const suite of RECORD_CONTRACTS)
  suite('embedded', ({ now }: Clock) => {
    const { db, another, close } = openDatabases();
    const damage = db.prepare("UPDATE paymentEvents SET record = json_set(record, '$.' || ?, 'many') WHERE id = ?");
    return {
      stores: recordStores(db, now),
      beside: () => recordStores(another(), now),
      table: embeddedTables(db),
      damage: (id: string, field: string) => void damage.run(field, id),
      close,
    };
  });

rateLimitsContract('embedded', ({ now }) => {
  const { db, another, close } = openDatabases();
  return {
    limits: createEmbeddedRateLimits(db, now),
    reopened: () => createEmbeddedRateLimits(another(), now),
    close,
  };
});
