// Export tables of all records, the same for both store families (embedded and cluster).
import type { Feature } from '../feature.js';
import { exportTable, type ExportTableDefinition } from './feature-stores.js';
import type { ExportTable, ExportRow } from './export-tables.js';
import type { LogEntry, Tables } from './tables.js';
import { readRecord } from './stored-record.js';
import { JOB_RUNS } from '../jobs/job-slots.records.js';

interface Options {
  readonly table: Tables;
  /** Returns all log entries that are stored in the documents of their owners and not yet moved to the log. */
  readonly carried?: () => Promise<readonly LogEntry[]>;
}

export async function recordExportTables(
  features: readonly Feature[],
  { table, carried }: Options,
): Promise<readonly ExportTable[]> {
  const definitions = await exportTableDefinitions(features);
  return definitions.map((exported) => {
    const opened = exportTableOf(table, exported);
    return carried && exported.isCarried ? withCarried(opened, exported.definition, carried) : opened;
  });
}

export async function exportTableDefinitions(features: readonly Feature[]): Promise<readonly ExportTableDefinition[]> {
  const records = await Promise.all(features.map(async (feature) => feature.records?.()));
  return [JOB_RUNS_TABLE, ...records.flatMap((of) => of?.tables ?? [])];
}

const JOB_RUNS_TABLE = exportTable('job runs', JOB_RUNS);

/**
 * Returns a table of log entries. It also contains the entries that are still in their owner's document and not yet in
 * the log. An entry that is moved to the log during the read is returned once.
 */
function withCarried(
  events: ExportTable,
  { schema }: ExportTableDefinition['definition'],
  carried: () => Promise<readonly LogEntry[]>,
): ExportTable {
  let waiting: readonly ExportRow[] = [];
  return {
    ...events,
    async read(after, limit) {
      // Reads the entries in their owner's document before it reads the log. In the other order, an entry that is moved
      // to the log between the two reads would be missing in both.
      if (after === '') waiting = (await carried()).map((entry) => readRecord(schema, entry, `the event ${entry.id}`));
      const rows = new Map(waiting.filter(({ id }) => id > after).map((row) => [row.id, row]));
      for (const row of await events.read(after, limit)) rows.set(row.id, row);
      return [...rows.values()].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
    },
  };
}

function exportTableOf(table: Tables, { name, definition, atOnce }: ExportTableDefinition): ExportTable {
  const records = table(definition);
  return {
    name,
    table: definition.name,
    ...(atOnce !== undefined && { atOnce }),
    count: () => records.count({}),
    read: (after, limit) => records.find({ where: { id: { gt: after } }, sort: { id: 'ascending' }, limit }),
    async write(rows) {
      const outcome = await records.insert(rows);
      if (outcome !== 'inserted') throw new Error(`two ${name} have the same ${outcome.taken}`);
    },
  };
}
