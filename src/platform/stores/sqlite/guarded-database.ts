// Database handle of the embedded stores. It converts temporary errors of SQLite to AppError `unavailable`.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { damageOf, orUnavailable } from './sqlite-error.js';

type Value = string | number | bigint | null | Uint8Array;
type Parameter = Value | Readonly<Record<string, Value>>;

/**
 * Prepared statement. Every method throws AppError `unavailable` if the database is locked, read-only or damaged, or if
 * the disk is full or fails.
 */
export interface Statement {
  run(...parameters: readonly Parameter[]): { readonly changes: number };
  get(...parameters: readonly Parameter[]): unknown;
  all(...parameters: readonly Parameter[]): unknown[];
}

/**
 * Database. Every method throws AppError `unavailable` if the database is locked, read-only or damaged, or if the disk
 * is full or fails.
 */
export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  location(): string;
  readonly isTransaction: boolean;
  /** SQLite's message at the first read of a damaged page; undefined if no damage was found. */
  readonly damage: string | undefined;
  close(): void;
}

interface Options {
  readonly onClose?: (db: Database) => void;
}

export function guardedDatabase(db: DatabaseSyncInstance, { onClose }: Options = {}): Database {
  let damage: string | undefined;
  const guarded: Guard = (work) => {
    try {
      return orUnavailable(work);
    } catch (error) {
      damage ??= damageOf(error);
      throw error;
    }
  };
  const handle: Database = {
    prepare: (sql) =>
      guardedStatement(
        guarded(() => db.prepare(sql)),
        guarded,
      ),
    exec: (sql) => guarded(() => db.exec(sql)),
    location: () => db.location() ?? '',
    get isTransaction() {
      return db.isTransaction;
    },
    get damage() {
      return damage;
    },
    close() {
      onClose?.(handle);
      db.close();
    },
  };
  return handle;
}

type Guard = <Result>(work: () => Result) => Result;

function guardedStatement(statement: StatementSyncInstance, guarded: Guard): Statement {
  return {
    run: (...parameters) => guarded(() => statement.run(...parameters)),
    get: (...parameters) => guarded((): unknown => statement.get(...parameters)),
    all: (...parameters) => guarded((): unknown[] => statement.all(...parameters)),
  };
}
