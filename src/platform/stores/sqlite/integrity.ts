// Integrity of the database file, checked in bounded time when the service starts.
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
 * `quick_check` reads the whole file, some 0.7 GB/s from memory: a file up to this takes a third of a second. Of a
 * larger one, tables are checked until the time is over.
 */
const LIMITS: Limits = { maxWholeBytes: 256_000_000, maxTablesMs: 500 };
/** Tables that no import can restore come first. */
const FIRST = ['accounts', 'usage', 'audit', 'catalogState'];
const LONGEST_FINDING = 200;

/**
 * Names what is damaged, in one line; undefined when nothing is. Structure only (sqlite.org/pragma.html#pragma_quick_check): bytes inside
 * a value are not checked. Throws AppError `unavailable` when the database is locked.
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

/** SQLite takes an empty file for a new database. Where a secret was kept beside it, it was none. */
export function isEmptied(dataDir: string): boolean {
  const path = databasePath(dataDir);
  return existsSync(join(dataDir, 'jwt-secret')) && existsSync(path) && statSync(path).size === 0;
}

/** The first finding in one line; undefined when all is well. An empty name is the whole file. */
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
