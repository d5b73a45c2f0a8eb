// Embedded stores: one SQLite file. The service opens the file after it has locked the folder. Commands open the file
// without this lock.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Feature } from '../feature.js';
import { createJobSlots } from '../jobs/job-slots.records.js';
import { createClosing, openFeatureStores } from './open-feature-stores.js';
import { ConfigError } from '../../../config/config-error.js';
import { readOrCreateSecret } from './sqlite/generated-secret.js';
import { migrate } from './sqlite/schema.js';
import { databasePath, lockDataDir, openDatabase } from './sqlite/database.js';
import type { Database } from './sqlite/guarded-database.js';
import { findDamage, isEmptied } from './sqlite/integrity.js';
import { damageOf, isDiskFull } from './sqlite/sqlite-error.js';
import { createWriteProbe } from './sqlite/write-probe.js';
import { embeddedTables } from './sqlite/tables.js';
import { messageOf, reasonOf } from '../errors.js';
import type { Locks } from './locks.js';
import type { Stores } from './stores.js';

/**
 * Maximum time in ms that a command waits for the write lock. The service waits less, because it cannot respond while
 * it waits.
 */
const COMMAND_BUSY_TIMEOUT_MS = 15_000;

/**
 * Locks that do nothing. A single process needs no locks, because it makes the changes of an account one after another.
 * If a command changes the account at the same time, the compare-and-set of the version fails and the change is
 * repeated.
 */
const NO_LOCKS: Locks = { acquire: async () => ({ renew: async () => true, release: async () => undefined }) };

interface Options {
  readonly dataDir: string;
  readonly features: readonly Feature[];
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called when background work has failed. The work is repeated later. */
  readonly onError: (error: unknown, what: string) => void;
  /** Maximum number of clients for which the service keeps data in memory. */
  readonly maxClients?: number;
}

/**
 * Opens the stores for the service. Throws ConfigError if another service uses the folder, or if the folder or its
 * database cannot be used.
 */
export async function openServiceStores(options: Options): Promise<Stores> {
  const { dataDir } = options;
  const lock = writable(dataDir, () => lockDataDir(dataDir));
  if (!lock)
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is in use by another Blazon process. Stop that process, or choose another folder`,
    );
  try {
    const db = writable(dataDir, () => {
      const own = checked(openDatabase(dataDir), dataDir);
      migrate(own);
      return own;
    });
    return await createEmbeddedStores(db, options, () => {
      db.close();
      lock.release();
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the stores for a command. The service may be running. Throws ConfigError if the folder cannot be used. */
export async function openCommandStores(options: Options): Promise<Stores> {
  const { dataDir } = options;
  const db = writable(dataDir, () => {
    const shared = openDatabase(dataDir);
    shared.exec(`PRAGMA busy_timeout = ${COMMAND_BUSY_TIMEOUT_MS}`);
    migrate(shared);
    return shared;
  });
  return createEmbeddedStores(db, options, () => db.close());
}

/**
 * Returns true if the folder has a database. Writes nothing, unlike `openCommandStores`, which would create a database.
 */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(databasePath(dataDir), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Returns true because a database may exist. Opening it will report the problem, such as a missing permission.
    return true;
  }
}

/** Creates the stores of all features on an open, migrated database. */
export async function createEmbeddedStores(db: Database, options: Options, close: () => void): Promise<Stores> {
  const { dataDir, features, now, onError, maxClients } = options;
  const probe = createWriteProbe(db, dataDir, now);
  const closing = createClosing();
  const table = embeddedTables(db);
  return openFeatureStores(features, {
    parts: { table, now, onError, maxClients, onClose: closing.add },
    family: (feature, parts) => feature.embedded?.().then((open) => open({ ...parts, db })),
    own: {
      jobSlots: createJobSlots(table, now),
      locks: NO_LOCKS,
      checks: { database: probe.database, disk: probe.disk },
      signingSecret: () => signingSecret(dataDir),
      readIntact: (read) => readIntact(dataDir, read),
      async close() {
        await closing.run();
        close();
      },
    },
  });
}

function signingSecret(dataDir: string): string {
  try {
    return readOrCreateSecret(dataDir);
  } catch (error) {
    throw new ConfigError(`DATA_DIR: the secret in this folder cannot be used (${messageOf(error)})`);
  }
}

export function writable<Opened>(dataDir: string, open: () => Opened): Opened {
  try {
    if (isEmptied(dataDir)) throw damaged(dataDir, 'the database file is empty, although it was not empty before');
    return open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const damage = damageOf(error);
    if (damage !== undefined) throw damaged(dataDir, damage);
    const reason = isFile(dataDir) ? 'the path is a file' : reasonOf(error);
    throw new ConfigError(
      `DATA_DIR: ${dataDir} cannot be used (${reason}). It must be a folder that this process can write to, ` +
        'either without a database or with a database of this release',
    );
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // `statSync` throws if a parent of the path is a file, or a folder without access permission.
    return false;
  }
}

function damaged(dataDir: string, finding: string): ConfigError {
  return new ConfigError(
    `DATA_DIR: the database in ${dataDir} is damaged (${finding}). Restore a backup, or move blazon.sqlite, -wal ` +
      'and -shm to another folder to start without accounts: docs/backup.md, "A damaged database"',
  );
}

/**
 * Runs `work`. If the disk of the folder is full, rejects with ConfigError. `need`: end of the error message, which
 * says what to do.
 */
export async function namingFullDisk<Result>(
  dataDir: string,
  need: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new ConfigError(`DATA_DIR: the disk of ${resolve(dataDir)} is full; ${need}`);
  }
}

/** Returns the result of `read`. Rejects with ConfigError if the data on disk is damaged. */
async function readIntact<Result>(dataDir: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const finding = damageOf(error) ?? (error instanceof SyntaxError ? 'a catalog entry cannot be read' : undefined);
    throw finding === undefined ? error : damaged(dataDir, finding);
  }
}

/** Checks the database before anything is written, so that a damaged file stays unchanged. */
function checked(db: Database, dataDir: string): Database {
  const finding = findDamage(db, dataDir);
  if (finding === undefined) return db;
  db.close();
  throw damaged(dataDir, finding);
}
