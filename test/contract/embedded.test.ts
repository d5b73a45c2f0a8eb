// The contract suites on SQLite.
import { embeddedAccountStore } from '../../src/adapters/embedded/account-store.js';
import { embeddedAdmissions } from '../../src/adapters/embedded/admissions.js';
import { temporaryDatabase } from '../support/temporary.js';
import { accountStoreContract } from './account-store.contract.js';
import { admissionsContract } from './admissions.contract.js';

accountStoreContract('embedded', () => {
  const { db, close } = temporaryDatabase();
  return { store: embeddedAccountStore(db), close };
});

admissionsContract('embedded', (plans, now) => {
  const { db, close } = temporaryDatabase();
  return { admissions: embeddedAdmissions({ db, plans, now }), accounts: embeddedAccountStore(db), close };
});
