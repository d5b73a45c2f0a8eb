// The embedded database, opened for the service that owns its folder, or for a command beside it.
import { ConfigError } from '../config/refusal.js';
import { migrateCatalog } from './adapters/embedded/catalog-schema.js';
import { lockDataDir, openDatabase } from './adapters/embedded/database.js';
import type { Database } from './adapters/embedded/guarded-database.js';
import { migrateAccounts } from './adapters/embedded/schema.js';

/** A command may wait for its turn to write much longer than the service, which answers nobody while it waits. */
const COMMAND_BUSY_TIMEOUT_MS = 15_000;

/** Of the one service on this folder. Throws ConfigError when there is another, or the folder is of no use. */
export function openServiceDatabase(dataDir: string): { readonly db: Database; readonly close: () => void } {
  const lock = writable(dataDir, () => lockDataDir(dataDir));
  if (!lock) throw new ConfigError(`DATA_DIR: ${dataDir} is in use by another Blazon process; stop that one or choose another folder`);
  try {
    const db = writable(dataDir, () => migrated(openDatabase(dataDir)));
    return {
      db,
      close: () => {
        db.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** For a command, whether or not a service runs. Throws ConfigError when the folder is of no use. */
export function openSharedDatabase(dataDir: string): Database {
  return writable(dataDir, () => {
    const db = openDatabase(dataDir);
    db.exec(`PRAGMA busy_timeout = ${COMMAND_BUSY_TIMEOUT_MS}`);
    return migrated(db);
  });
}

function writable<Opened>(dataDir: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be used (${reasonOf(error)}); it must be a folder that this process may write, with a database of this release or none`);
  }
}

/** In SQLite's own words, where the error has others for a caller. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function migrated(db: Database): Database {
  migrateAccounts(db);
  migrateCatalog(db);
  return db;
}
