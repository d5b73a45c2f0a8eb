// The database as all stores of this family use it: none of them can let an error through that is only about the moment.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { orUnavailable } from './sqlite-error.js';

type Value = string | number | bigint | null | Uint8Array;
type Parameter = Value | Readonly<Record<string, Value>>;

/** Every method throws AppError `unavailable` while the database is locked, full, failing or readonly. */
export interface Statement {
  run(...parameters: readonly Parameter[]): { readonly changes: number };
  /** Undefined: there is no such row. */
  get(...parameters: readonly Parameter[]): unknown;
  all(...parameters: readonly Parameter[]): unknown[];
}

/** Every method throws AppError `unavailable` while the database is locked, full, failing or readonly. */
export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** Null: it is in memory. */
  location(): string | null;
  readonly isTransaction: boolean;
  close(): void;
}

export function guardedDatabase(db: DatabaseSyncInstance): Database {
  return {
    prepare: (sql) => guardedStatement(orUnavailable(() => db.prepare(sql))),
    exec: (sql) => orUnavailable(() => db.exec(sql)),
    location: () => db.location(),
    get isTransaction() {
      return db.isTransaction;
    },
    close: () => db.close(),
  };
}

function guardedStatement(statement: StatementSyncInstance): Statement {
  return {
    run: (...parameters) => orUnavailable(() => statement.run(...parameters)),
    get: (...parameters) => orUnavailable((): unknown => statement.get(...parameters)),
    all: (...parameters) => orUnavailable((): unknown[] => statement.all(...parameters)),
  };
}
