// Claims of due records: processes share the due records of a table, and one process at a time holds a record.
import type { Table, Versioned } from './tables.js';

interface ClaimLimits {
  readonly limit: number;
  /** Duration of a claim. If the process dies, the record can be claimed again after this time. */
  readonly claimMs: number;
  /**
   * Maximum time in ms between now and `dueAt`. A later `dueAt` comes from a wrong clock, so the record counts as due.
   */
  readonly maxAheadMs: number;
}

/**
 * Claims at most `limit` records whose `dueAt` has passed, the longest due first. `claimed` returns the fields that mark
 * a record as claimed, with the end of the claim as `dueAt`. Until then, no other call returns the record.
 */
export async function claimDue<Stored extends { readonly id: string } & Versioned>(
  table: Pick<Table<Stored>, 'find' | 'putAll'>,
  now: Date,
  { limit, claimMs, maxAheadMs }: ClaimLimits,
  claimed: (until: Date) => Partial<Stored> & { readonly dueAt: Date },
): Promise<readonly Stored[]> {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  const due = { dueAt: { by: now, farAhead: after(maxAheadMs) } };
  const found = await table.find({ where: due, sort: { dueAt: 'ascending' }, limit });
  const fields = claimed(after(claimMs));
  const claims = found.map((record) => ({ ...record, ...fields, version: record.version + 1 }));
  // Another process may claim some of these records at the same time. For each record, only the claim that is written
  // first succeeds.
  const outcomes = await Promise.all(claims.map((claim) => table.putAll([claim])));
  return claims.filter((_, index) => outcomes[index]);
}
