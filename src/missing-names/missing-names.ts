// Names that were asked for and are in no catalog: which are counted, and their counts by day.
import type { MissingName } from '../platform/not-found.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface MissingCount extends MissingName {
  /** Different accounts that asked. */
  readonly accounts: number;
  readonly requests: number;
}

/** Counts of one process on a day. */
export interface MissingNamesOfDay {
  readonly day: UtcDay;
  /** Most asked first. */
  readonly names: readonly MissingCount[];
}

/** Counts of earlier days are deleted. */
export const MISSING_KEPT_DAYS = 90;
/** Names that a process keeps of a day. */
export const MAX_MISSING_NAMES = 2000;

/** Those asked for by the most accounts first, then by the most requests, then those that were counted before. */
export function mostAsked<Count extends MissingCount>(counts: Iterable<Count>): Count[] {
  return [...counts].sort((one, other) => other.accounts - one.accounts || other.requests - one.requests);
}

export interface ReportedName extends MissingCount {
  /** Days on which it was asked for, newest first. `accounts` of the report is the most on one of them. */
  readonly days: readonly { readonly day: UtcDay; readonly accounts: number; readonly requests: number }[];
}

/**
 * The sum over processes and days, most asked first. A search text that is the beginning of another one is left out where that has
 * as many requests: it was typed on the way to it.
 */
export function missingReport(records: readonly MissingNamesOfDay[]): readonly ReportedName[] {
  const byName = new Map<string, { readonly name: MissingName; readonly days: Map<UtcDay, MissingCount> }>();
  for (const { day, names } of records)
    for (const count of names) {
      const key = missingKey(count);
      const known = byName.get(key) ?? { name: count, days: new Map<UtcDay, MissingCount>() };
      byName.set(key, known);
      known.days.set(day, added(known.days.get(day), count));
    }
  const reported = [...byName.values()].map(({ name: { kind, name }, days }): ReportedName => {
    const byDay = [...days].map(([day, { accounts, requests }]) => ({ day, accounts, requests }));
    return {
      kind,
      name,
      accounts: Math.max(...byDay.map(({ accounts }) => accounts)),
      requests: byDay.reduce((sum, { requests }) => sum + requests, 0),
      days: byDay.sort((one, other) => (one.day < other.day ? 1 : -1)),
    };
  });
  return mostAsked(withoutBeginnings(reported));
}

/** Equal for equal names. */
export function missingKey({ kind, name }: MissingName): string {
  return `${kind} ${name}`;
}

function added(one: MissingCount | undefined, other: MissingCount): MissingCount {
  if (one === undefined) return other;
  return { ...other, accounts: one.accounts + other.accounts, requests: one.requests + other.requests };
}

function withoutBeginnings(reported: readonly ReportedName[]): ReportedName[] {
  const names = reported.filter(({ kind }) => kind === 'name').sort((one, other) => (one.name < other.name ? -1 : 1));
  const typed = new Set<ReportedName>();
  // Sorted, all texts with the same beginning follow it.
  names.forEach((one, at) => {
    for (let next = at + 1; names[next]?.name.startsWith(one.name) === true; next++)
      if ((names[next]?.requests ?? 0) >= one.requests) {
        typed.add(one);
        return;
      }
  });
  return reported.filter((one) => !typed.has(one));
}
