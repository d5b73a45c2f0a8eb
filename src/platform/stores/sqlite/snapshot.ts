// Snapshots of the database. A snapshot is written while a service may run, then checked, and can replace the database
// in one step.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { foreignObject, schemaFault } from './schema.js';
import { databasePath, openDatabase, openDatabaseFile } from './database.js';
import { makeDataDir } from './data-dir.js';
import type { Database } from './guarded-database.js';
import { damageOf, isDiskFull } from './sqlite-error.js';

/** Name prefix of the folders in which snapshots are created. */
const INCOMING = '.incoming-';

export interface Snapshot {
  readonly folder: string;
  readonly db: Database;
}

/** Opens a snapshot in a new folder inside `dataDir`: a copy of `file`, or a new database. */
export function openSnapshot(dataDir: string, file?: string): Snapshot {
  makeDataDir(dataDir);
  const folder = mkdtempSync(join(dataDir, INCOMING));
  try {
    if (file !== undefined) copyPrivately(file, databasePath(folder));
    return { folder, db: openDatabase(folder) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Deletes snapshot folders of commands that were killed. */
export function removeLeftSnapshots(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(INCOMING)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

/** Deletes the snapshot. Does nothing if the snapshot has become the database. */
export function discardSnapshot({ folder, db }: Snapshot): void {
  if (!existsSync(folder)) return;
  db.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Error for a full disk. Its message says how much space is needed. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

/**
 * Writes the current state of the database into a new file. A service may run meanwhile. Throws NoRoomError on a full
 * disk, else the system's error.
 */
export function writeSnapshot(db: Database, file: string): void {
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    // Creates the file with restricted access before SQLite writes to it, because it will contain password hashes.
    // SQLite accepts an existing empty file, and gives its journal the same mode.
    closeSync(openSync(part, 'wx', 0o600));
    db.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`);
    renameSync(part, file);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new NoRoomError(`the disk is full (it needs about ${neededMb(db)} MB)`, { cause: error });
  } finally {
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true });
  }
}

function neededMb(db: Database): number {
  const { bytes } = db
    .prepare(
      `SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    .get() as { readonly bytes: number };
  return Math.ceil(bytes / 1_000_000);
}

/** Returns the reason why this release cannot use the file as a snapshot, or undefined if it can. Writes nothing. */
export function snapshotFault(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return stats ? 'the path is not a file' : 'there is no such file';
  let db: Database | undefined;
  try {
    db = openDatabaseFile(file, { readOnly: true });
    const tables = db
      .prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name IN ('accounts', 'usage')")
      .get() as { readonly count: number };
    if (tables.count !== 2) return 'the file is not a Blazon database';
    const fault = schemaFault(db);
    if (fault !== undefined) return `the file is ${fault}`;
    const foreign = foreignObject(db);
    if (foreign !== undefined) return foreign;
    const [check] = db.prepare('PRAGMA quick_check(1)').all() as { readonly quick_check: string }[];
    return check?.quick_check === 'ok'
      ? undefined
      : `the file is damaged or incomplete (${check?.quick_check ?? 'no result'})`;
  } catch (error) {
    return reasonOf(error);
  } finally {
    db?.close();
  }
}

function reasonOf(error: unknown): string {
  const damage = damageOf(error);
  if (damage !== undefined) return `the file is damaged, incomplete or not a database (${damage})`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Closes the snapshot and makes it the database of `dataDir`. Keeps an existing database under another name, and
 * returns that name. The caller must have locked the folder.
 */
export function putInPlace({ folder, db }: Snapshot, dataDir: string): string | undefined {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const kept = keepReplaced(dataDir);
  renameSync(databasePath(folder), databasePath(dataDir));
  rmSync(folder, { recursive: true, force: true });
  return kept;
}

function keepReplaced(dataDir: string): string | undefined {
  const path = databasePath(dataDir);
  if (!existsSync(path)) return undefined;
  // Moves the write-ahead log into the file, because only the file is kept. SQLite deletes the log when the last
  // connection is closed.
  const replaced = openDatabase(dataDir);
  replaced.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  replaced.close();
  const kept = join(dirname(path), `replaced-${new Date().toISOString().replaceAll(':', '')}-${basename(path)}`);
  // The old database gets a second name by a hard link. It is not renamed, because a crash after a rename could leave
  // the folder without a database.
  try {
    linkSync(path, kept);
  } catch {
    // The file is copied, because the file system does not support hard links.
    copyPrivately(path, kept);
  }
  return kept;
}
