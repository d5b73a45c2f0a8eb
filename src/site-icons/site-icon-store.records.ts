// Store of site icons, for both store families (embedded and cluster).
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import type { Tables } from '../platform/stores/tables.js';
import { AppError } from '../platform/errors.js';
import type { SiteIconRecord, SiteIconStore } from './site-icon-store.js';

const variant = z.object({
  name: z.string(),
  width: z.number(),
  height: z.number(),
  colors: z.array(z.string()),
  recolorable: z.boolean(),
  on: z.array(z.enum(['light', 'dark'])),
  ink: z.tuple([z.number(), z.number(), z.number(), z.number()]).exactOptional(),
  inkShare: z.number().exactOptional(),
  derived: z.literal(true).exactOptional(),
  etag: z.string(),
  painted: z.string().exactOptional(),
});

const icon = z.object({
  px: z.number().nullable(),
  variants: z.tuple([variant], variant),
  texts: z.record(z.string(), z.string()),
  source: z.object({ url: z.string(), etag: z.string().optional(), lastModified: z.string().optional() }),
});

export const SITE_ICONS = {
  name: 'siteIcons',
  schema: z.object({
    id: z.string(),
    state: z.enum(['found', 'missing', 'blocked']),
    icon: icon.optional(),
    checkedAt: instant,
    /** Missing for a blocked host. */
    dueAt: instant.optional(),
    usedAt: instant,
    /** Size of the record. The total size of all records is limited. */
    bytes: z.int(),
    version: z.int(),
  }),
};

type Row = RecordOf<typeof SITE_ICONS.schema>;

/** Rows that a backup or a migration copies at once. Most have some kilobytes, the largest three megabytes. */
export const ICONS_AT_ONCE = 10;
const MAX_REMOVED = 500;
const ROW_BYTES = 300;
/**
 * Ratio between the bounds of neighboring size classes. The total size is computed from the number of rows in each
 * class, without reading the rows. Each row counts with the upper bound of its class.
 */
const CLASS_RATIO = 1.4;
const CLASSES = Array.from({ length: 30 }, (_, at) => Math.round(ROW_BYTES * CLASS_RATIO ** at));

export function createSiteIconStore(table: Tables): SiteIconStore {
  const rows = table(SITE_ICONS);
  return {
    async get(host) {
      const row = await rows.get(host);
      return row && recordOf(row);
    },
    put: (record) => rows.putAll([rowOf(record)]),
    async remove(hosts) {
      for (let at = 0; at < hosts.length; at += MAX_REMOVED)
        await rows.remove({ id: { in: hosts.slice(at, at + MAX_REMOVED) } });
    },
    async hosts(text) {
      const ids = await rows.ids({ sort: { id: 'ascending' } });
      return text === '' ? ids : ids.filter((id) => id.includes(text));
    },
    due: (at, limit) => rows.ids({ where: { dueAt: { lte: at } }, sort: { dueAt: 'ascending' }, limit }),
    leastUsed: (limit) => rows.ids({ where: { dueAt: { ne: null } }, sort: { usedAt: 'ascending' }, limit }),
    async size() {
      let bytes = 0;
      for (const [at, from] of CLASSES.entries()) {
        const below = CLASSES[at + 1];
        const inClass = below === undefined ? { gte: from } : { gte: from, lt: below };
        bytes += (await rows.count({ bytes: inClass })) * (below ?? from * CLASS_RATIO);
      }
      return { hosts: await rows.count({}), bytes: Math.ceil(bytes) };
    },
  };
}

function rowOf(record: SiteIconRecord): Row {
  const { id, state, checkedAt, usedAt, version } = record;
  const common = { id, state, checkedAt, usedAt, version };
  if (record.state === 'blocked') return { ...common, bytes: ROW_BYTES };
  if (record.state === 'missing') return { ...common, dueAt: record.dueAt, bytes: ROW_BYTES };
  const { icon: found, dueAt } = record;
  return { ...common, dueAt, icon: found, bytes: ROW_BYTES + JSON.stringify(found).length };
}

function recordOf({ icon: stored, dueAt, state, id, checkedAt, usedAt, version }: Row): SiteIconRecord {
  const common = { id, checkedAt, usedAt, version };
  if (state === 'blocked') return { ...common, state };
  if (dueAt === undefined) throw new AppError('unavailable', `The record of ${id} cannot be read.`);
  if (state === 'missing' || !stored) return { ...common, state: 'missing', dueAt };
  return { ...common, state, dueAt, icon: stored };
}
