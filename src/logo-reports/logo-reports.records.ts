// Store of reports about wrong logos, for SQLite and MongoDB. The id of a record is the slug of the entry.
import { z } from 'zod';
import type { Slug } from '../catalog/entry.js';
import { changeRecord } from '../platform/stores/change-record.js';
import { instant } from '../platform/stores/stored-record.js';
import type { Tables } from '../platform/stores/tables.js';
import { MAX_REPORTED_ENTRIES, REPORT_REASONS, withReport, type LogoReports } from './logo-reports.js';

export const LOGO_REPORTS = {
  name: 'logoReports',
  schema: z.object({
    /** Slug of the entry. */
    id: z.string(),
    reasons: z.partialRecord(z.enum(REPORT_REASONS), z.int()),
    comments: z.array(z.object({ text: z.string(), at: instant })),
    firstAt: instant,
    lastAt: instant,
    version: z.int().default(1),
  }),
};

export function createLogoReports(table: Tables): LogoReports {
  const records = table(LOGO_REPORTS);
  return {
    async add(report) {
      const written = await changeRecord(records, report.slug, async (stored) => {
        if (!stored && (await records.count({}, MAX_REPORTED_ENTRIES)) >= MAX_REPORTED_ENTRIES) return undefined;
        const { reasons, comments, ...times } = withReport(stored, report);
        return { reasons, comments: [...comments], ...times };
      });
      return written !== undefined;
    },
    async list() {
      const found = await records.find({ limit: MAX_REPORTED_ENTRIES });
      return found
        .map(({ id, reasons, comments, firstAt, lastAt }) => ({ slug: id as Slug, reasons, comments, firstAt, lastAt }))
        .sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime());
    },
    remove: async (slug) => (await records.remove({ id: slug })) > 0,
  };
}
