// Requested names that the catalog lacks: their counts by day, and the report over several days.
import type { MissingName } from '../platform/not-found.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface MissingCount extends MissingName {
  /** Number of different accounts that requested the name. */
  readonly accounts: number;
  readonly requests: number;
}

/** Counts of one process on one day. */
export interface MissingNamesOfDay {
  readonly day: UtcDay;
  /** Most requested first. */
  readonly names: readonly MissingCount[];
}

/** Number of days after which counts are deleted. */
export const MISSING_KEPT_DAYS = 90;
/** Maximum number of names that one process stores per day. */
export const MAX_MISSING_NAMES = 2000;

/** Sorts by number of accounts, then by number of requests. Names with equal counts keep their order. */
export function mostAsked<Count extends MissingCount>(counts: Iterable<Count>): Count[] {
  return [...counts].sort((one, other) => other.accounts - one.accounts || other.requests - one.requests);
}

export interface ReportedName extends MissingCount {
  /**
   * Days on which the name was requested, newest first. `accounts` of the name is the highest value of these days,
   * because an account may have requested the name on several days.
   */
  readonly days: readonly { readonly day: UtcDay; readonly accounts: number; readonly requests: number }[];
}

/**
 * Adds up the counts of all processes and days, most requested names first. Omits a search text if a longer text that
 * starts with it has at least as many requests, because clients search while the user types.
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
  // The names are sorted, so longer texts that start with this text follow it directly.
  names.forEach((one, at) => {
    for (let next = at + 1; names[next]?.name.startsWith(one.name) === true; next++)
      if ((names[next]?.requests ?? 0) >= one.requests) {
        typed.add(one);
        return;
      }
  });
  return reported.filter((one) => !typed.has(one));
}
