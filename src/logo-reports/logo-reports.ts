// Reports about wrong logos, with one record per entry. The records don't contain who sent the reports.
import type { Slug } from '../catalog/entry.js';

export const REPORT_REASONS = ['wrong-brand', 'outdated', 'drawing-errors', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export const MAX_COMMENT_CHARACTERS = 500;
/** Maximum number of comments per entry. Newer comments replace the oldest ones. */
export const MAX_COMMENTS = 10;
/** Maximum number of entries with reports. Above it, reports about further entries are not stored. */
export const MAX_REPORTED_ENTRIES = 1000;

export interface NewReport {
  readonly slug: Slug;
  readonly reason: ReportReason;
  /** At most `MAX_COMMENT_CHARACTERS` characters. Null if the visitor wrote no comment. */
  readonly comment: string | null;
  readonly at: Date;
}

export interface ReportedEntry {
  readonly slug: Slug;
  /** Reason → number of reports. */
  readonly reasons: Readonly<Partial<Record<ReportReason, number>>>;
  /** Newest comment first. */
  readonly comments: readonly { readonly text: string; readonly at: Date }[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface LogoReports {
  /** Adds a report. If `MAX_REPORTED_ENTRIES` other entries have reports, stores nothing and returns false. */
  add(report: NewReport): Promise<boolean>;
  /** Returns all entries with reports. The entry with the latest report is first. */
  list(): Promise<readonly ReportedEntry[]>;
  /** Returns false if there are no reports about the entry. */
  remove(slug: Slug): Promise<boolean>;
}

export function withReport(
  before: Omit<ReportedEntry, 'slug'> | undefined,
  { reason, comment, at }: NewReport,
): Omit<ReportedEntry, 'slug'> {
  const comments = comment === null ? [] : [{ text: comment, at }];
  return {
    reasons: { ...before?.reasons, [reason]: (before?.reasons[reason] ?? 0) + 1 },
    comments: [...comments, ...(before?.comments ?? [])].slice(0, MAX_COMMENTS),
    firstAt: before?.firstAt ?? at,
    lastAt: at,
  };
}

export function countOf({ reasons }: Pick<ReportedEntry, 'reasons'>): number {
  return Object.values(reasons).reduce((sum, count) => sum + count, 0);
}
