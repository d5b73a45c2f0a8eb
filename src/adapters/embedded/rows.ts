// Rows as they come from SQLite: the driver types them `any`, here they are unknown until a field is read.
import type { StatementSyncInstance } from '@photostructure/sqlite';

type Parameter = string | number | null;

export interface Row {
  text(column: string): string;
  number(column: string): number;
}

export function firstRow(statement: StatementSyncInstance, ...parameters: readonly Parameter[]): Row | undefined {
  const found: unknown = statement.get(...parameters);
  return found === undefined ? undefined : row(found);
}

export function allRows(statement: StatementSyncInstance, ...parameters: readonly Parameter[]): Row[] {
  const found: unknown[] = statement.all(...parameters);
  return found.map(row);
}

/** Rows that the statement changed. */
export function changes(statement: StatementSyncInstance, ...parameters: readonly Parameter[]): number {
  return statement.run(...parameters).changes;
}

function row(found: unknown): Row {
  const fields = found as Readonly<Record<string, unknown>>;
  return {
    text: (column) => String(fields[column]),
    number: (column) => Number(fields[column]),
  };
}
