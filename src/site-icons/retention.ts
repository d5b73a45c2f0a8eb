// How long icons are kept, and how the result of a search changes the record of a host.
import { DAY_MS } from '../platform/time.js';
import type { FindOutcome } from './find-icon.js';
import type { SiteIconRecord } from './site-icon-store.js';

/** Days after which an icon is fetched again, or deleted if nobody used it in this time. */
export const KEPT_DAYS = 30;
/** Days for which nothing is fetched from a host without an icon. */
const MISSING_DAYS = 1;
/** Days for which an icon is kept although its site no longer responds. */
const UNREACHABLE_DAYS = 60;

/** Maximum numbers of hosts and of bytes in the whole deployment. */
export const MAX_HOSTS = 200_000;
export const MAX_BYTES = 2 * 2 ** 30;

export function isDue(record: SiteIconRecord, nowMs: number): boolean {
  return record.state !== 'blocked' && record.dueAt.getTime() <= nowMs;
}

/** Returns the new record of the host `id` after a search for its icon. `before` is its previous record. */
export function recordAfter(
  id: string,
  before: SiteIconRecord | undefined,
  outcome: FindOutcome,
  nowMs: number,
): SiteIconRecord {
  const now = new Date(nowMs);
  const common = { id, checkedAt: now, usedAt: before?.usedAt ?? now, version: (before?.version ?? 0) + 1 };
  const inDays = (days: number): Date => new Date(nowMs + days * DAY_MS);
  if (outcome.kind === 'found') return { ...common, state: 'found', icon: outcome.icon, dueAt: inDays(KEPT_DAYS) };
  if (before?.state === 'found') {
    const { icon, checkedAt } = before;
    if (outcome.kind === 'unchanged') return { ...common, state: 'found', icon, dueAt: inDays(KEPT_DAYS) };
    const isRecent = nowMs - checkedAt.getTime() < UNREACHABLE_DAYS * DAY_MS;
    if (outcome.kind === 'failed' && isRecent)
      return { ...common, checkedAt, state: 'found', icon, dueAt: inDays(MISSING_DAYS) };
  }
  return { ...common, state: 'missing', dueAt: inDays(MISSING_DAYS) };
}
