// Store of requested names that were not found, for SQLite and MongoDB. It has one record per process and day.
import { z } from 'zod';
import { MISSING_KINDS } from '../platform/not-found.js';
import type { UtcDay } from '../platform/utc-day.js';
import { branded } from '../platform/stores/stored-record.js';
import { AppError } from '../platform/errors.js';
import { MAX_PROCESSES_OF_DAY, type MissingNames } from './missing-name-store.js';
import type { Tables } from '../platform/stores/tables.js';

export const MISSING_NAMES = {
  name: 'missingNames',
  schema: z.object({
    /** `day:process` */
    id: z.string(),
    day: branded<UtcDay>(),
    names: z.array(z.object({ kind: z.enum(MISSING_KINDS), name: z.string(), accounts: z.int(), requests: z.int() })),
    version: z.int().default(1),
  }),
};

export function createMissingNames(table: Tables): MissingNames {
  const records = table(MISSING_NAMES);
  return {
    async put(process, { day, names }) {
      const id = `${day}:${process}`;
      const before = await records.get(id);
      if (before === undefined && (await records.count({ day }, MAX_PROCESSES_OF_DAY)) >= MAX_PROCESSES_OF_DAY)
        return false;
      const version = (before?.version ?? 0) + 1;
      // Only this process writes this record. A version conflict therefore means that an earlier write of this process
      // seemed to fail, but was applied. The next round tries again with the new version.
      if (!(await records.putAll([{ id, day, names: [...names], version }]))) throw new AppError('unavailable');
      return true;
    },
    range: ({ from, to }) =>
      records.find({ where: { day: { gte: from, lte: to } }, sort: { day: 'ascending', id: 'ascending' } }),
    prune: (before) => records.remove({ day: { lt: before } }),
  };
}
