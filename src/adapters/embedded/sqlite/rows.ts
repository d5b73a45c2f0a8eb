// Rows of SQLite, with each field typed when it is read.
import type { Statement } from './guarded-database.js';

type Parameter = string | number | null;

export interface Row {
  text(column: string): string;
  number(column: string): number;
}

export function firstRow(statement: Statement, ...parameters: readonly Parameter[]): Row | undefined {
  const found = statement.get(...parameters);
  return found === undefined ? undefined : row(found);
}

export function allRows(statement: Statement, ...parameters: readonly Parameter[]): Row[] {
  return statement.all(...parameters).map(row);
}

/** The number of rows that the statement changed. */
export function changes(statement: Statement, ...parameters: readonly Parameter[]): number {
  return statement.run(...parameters).changes;
}

function row(found: unknown): Row {
  const fields = found as Readonly<Record<string, unknown>>;
  return {
    text: (column) => String(fields[column]),
    number: (column) => Number(fields[column]),
  };
}
