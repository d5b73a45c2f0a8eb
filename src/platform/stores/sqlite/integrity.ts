// Integrity check of the database file, in bounded time, when the service starts.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databasePath } from './database.js';
import type { Database } from './guarded-database.js';
import { damageOf } from './sqlite-error.js';

interface Limits {
  readonly maxWholeBytes: number;
  readonly maxTablesMs: number;
}

/**
 * Limits of the check. `quick_check` reads the file at about 0.7 GB/s from memory, so a file of `maxWholeBytes` takes a
 * third of a second. In a larger file, tables are checked one by one until `maxTablesMs` have passed.
 */
const LIMITS: Limits = { maxWholeBytes: 256_000_000, maxTablesMs: 500 };
/** Tables that are checked first, because an import of the catalog cannot restore them. */
const FIRST = ['accounts', 'usage', 'audit', 'catalogState'];
const LONGEST_FINDING = 200;

/**
 * Returns one line about the damage, or undefined if no damage was found. Checks only the structure of the file
 * (sqlite.org/pragma.html#pragma_quick_check), not the values. Throws AppError `unavailable` if the database is locked.
 */
export function findDamage(db: Database, dataDir: string, { maxWholeBytes, maxTablesMs } = LIMITS): string | undefined {
  if (statSync(databasePath(dataDir)).size <= maxWholeBytes) {
    const finding = quickCheck(db, '');
    return (
      finding &&
      `${
        tablesOf(db)
          .filter((table) => quickCheck(db, table) !== undefined)
          .join(', ') || 'the file'
      }: ${finding}`
    );
  }
  const endMs = performance.now() + maxTablesMs;
  for (const table of tablesOf(db)) {
    const finding = quickCheck(db, table);
    if (finding !== undefined) return `${table}: ${finding}`;
    if (performance.now() >= endMs) return undefined;
  }
  return undefined;
}

/**
 * Returns true if the database file has lost its content. SQLite treats an empty file as a new database. If there is
 * already a signing secret beside the file, the database is not new.
 */
export function isEmptied(dataDir: string): boolean {
  const path = databasePath(dataDir);
  return existsSync(join(dataDir, 'jwt-secret')) && existsSync(path) && statSync(path).size === 0;
}

/**
 * Returns the first problem as one line, or undefined if there is none. `table`: name of the table to check; an empty
 * name checks the whole file.
 */
function quickCheck(db: Database, table: string): string | undefined {
  try {
    const [row] = db.prepare(table === '' ? 'PRAGMA quick_check(1)' : `PRAGMA quick_check("${table}")`).all() as {
      readonly quick_check: string;
    }[];
    const finding = row?.quick_check ?? 'no result';
    return finding === 'ok'
      ? undefined
      : finding
          .replace(/^\*\*\* in database main \*\*\*\s*/, '')
          .replace(/\s+/g, ' ')
          .slice(0, LONGEST_FINDING);
  } catch (error) {
    const damage = damageOf(error);
    if (damage === undefined) throw error;
    return damage;
  }
}

function tablesOf(db: Database): readonly string[] {
  try {
    const rows = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all() as { readonly name: string }[];
    const names = rows.map(({ name }) => name);
    return [...FIRST.filter((name) => names.includes(name)), ...names.filter((name) => !FIRST.includes(name))];
  } catch (error) {
    if (damageOf(error) === undefined) throw error;
    return [];
  }
}
