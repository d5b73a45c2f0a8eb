// Query plans of SQLite for the statements that a store prepares.
import type { Database } from '../../src/platform/stores/sqlite/guarded-database.js';

export interface QueryPlan {
  readonly sql: string;
  /** Steps of the plan. Each table that is read has a step. */
  readonly details: readonly string[];
}

export async function queryPlans(db: Database, use: (db: Database) => unknown): Promise<QueryPlan[]> {
  const statements: string[] = [];
  const noted: Database = Object.assign(Object.create(db) as Database, {
    prepare(sql: string) {
      statements.push(sql);
      return db.prepare(sql);
    },
  });
  await use(noted);
  return statements.map((sql) => ({ sql, details: detailsOf(db, sql) }));
}

function detailsOf(db: Database, sql: string): string[] {
  const names = new Set(sql.match(/\?\d+/g));
  const count = names.size > 0 ? names.size : sql.split('?').length - 1;
  // Passes empty strings as parameters, because the plan does not depend on the values.
  const plans = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from({ length: count }, () => ''));
  return plans.map((plan) => (plan as { readonly detail: string }).detail);
}
