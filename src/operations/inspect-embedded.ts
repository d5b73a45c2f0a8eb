// Checks of the embedded database, for the command `doctor`: whether it exists, is intact, has this release's schema,
// and is writable.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { embeddedCatalogRows } from '../catalog/catalog-rows.sqlite.js';
import { missingSteps, schemaFault } from '../platform/stores/sqlite/schema.js';
import { databasePath, openDatabaseReadOnly } from '../platform/stores/sqlite/database.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';
import { findDamage, isEmptied } from '../platform/stores/sqlite/integrity.js';
import { damageOf } from '../platform/stores/sqlite/sqlite-error.js';
import { embeddedTables } from '../platform/stores/sqlite/tables.js';
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import { messageOf } from '../platform/errors.js';
import { FEATURES } from '../features.js';
import { catalogFinding, storedFindings } from './doctor.js';
import { createCatalogStore } from '../catalog/catalog-store.records.js';

const DAMAGED = 'Copy the database to another place first. Then see docs/backup.md, "A damaged database".';

/** Checks the database. Opens the file read-only and does not migrate its schema. */
export async function inspectEmbedded(dataDir: string): Promise<readonly Finding[]> {
  const path = databasePath(dataDir);
  if (!(await allows(path, constants.F_OK)))
    return [failure('database', `There is no database in ${dataDir}.`, 'Check DATA_DIR, or start the service once.')];
  if (!(await allows(path, constants.R_OK)))
    return [
      failure(
        'database',
        `The current user cannot read ${path}.`,
        'Run this command as the operating system user that runs the service.',
      ),
    ];
  return [await writeFinding(dataDir, path), ...(await contentFindings(dataDir))];
}

async function writeFinding(dataDir: string, path: string): Promise<Finding> {
  const check = 'database access';
  const mayWrite = (await allows(dataDir, constants.W_OK)) && (await allows(path, constants.W_OK));
  if (mayWrite) return ok(check, 'The current user can write to the database.');
  return failure(
    check,
    `The current user cannot write to ${path} or its folder.`,
    'Run this command as the operating system user that runs the service. If you already did, make that user the owner of the folder and all its ' +
      'files.',
  );
}

async function allows(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function contentFindings(dataDir: string): Promise<readonly Finding[]> {
  if (isEmptied(dataDir))
    return [failure('database', 'The database file is empty, although it was not empty before.', DAMAGED)];
  let db: Database | undefined;
  try {
    db = openDatabaseReadOnly(dataDir);
    const damage = findDamage(db, dataDir);
    if (damage !== undefined) return [failure('database', `The database is damaged: ${damage}.`, DAMAGED)];
    return [ok('database', 'The database is intact.'), ...(await releaseFindings(db))];
  } catch (error) {
    const damage = damageOf(error);
    if (damage !== undefined) return [failure('database', `The database is damaged: ${damage}.`, DAMAGED)];
    return [
      failure(
        'database',
        `The database cannot be read: ${messageOf(error)}`,
        'See docs/backup.md, "Files in DATA_DIR".',
      ),
    ];
  } finally {
    db?.close();
  }
}

/**
 * Returns the findings that depend on the schema. Returns only one finding if the schema is from another release,
 * because columns may be missing.
 */
async function releaseFindings(db: Database): Promise<readonly Finding[]> {
  const check = 'database schema';
  const fault = schemaFault(db);
  if (fault !== undefined)
    return [
      failure(check, `The database is ${fault}.`, 'Run that release, or restore a backup that this release wrote.'),
    ];
  const missing = missingSteps(db);
  if (missing > 0)
    return [
      warning(
        check,
        `The database is from an older release; ${missing} migrations are missing.`,
        'Start the service to apply them.',
      ),
    ];
  const rows = embeddedCatalogRows(db);
  const table = embeddedTables(db);
  const catalog = createCatalogStore({ table, rows, now: Date.now });
  const stored = await storedFindings(FEATURES, { table });
  return [ok(check, 'The schema matches this release.'), await catalogFinding(catalog), ...stored];
}
