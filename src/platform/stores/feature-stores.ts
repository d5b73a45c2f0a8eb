// Parameters with which features open their stores.
import type { MongoConnection } from './mongodb/connection.js';
import type { AuditOutbox } from './mongodb/audit-outbox.js';
import type { RedisConnection } from './redis/connection.js';
import type { Database } from './sqlite/guarded-database.js';
import type { Stores } from './stores.js';
import type { RecordSchema, TableDefinition, Tables } from './tables.js';

/** A table of records as a section of backups and migrations. */
export interface ExportedTable {
  /** Name of the rows in texts. */
  readonly section: string;
  readonly definition: TableDefinition<RecordSchema>;
  /** Rows copied at once; set if they are large. */
  readonly atOnce?: number;
  /** True if rows are first written with an account (`Table.carried`). */
  readonly isCarried?: true;
  /** True if rows need not be from the same moment as other data. They may be written while a backup runs. */
  readonly isHistory?: true;
}

/** Defines a section. The options are the other fields of `ExportedTable`. */
export function exportedTable<Schema extends RecordSchema>(
  section: string,
  definition: TableDefinition<Schema>,
  options: Omit<ExportedTable, 'section' | 'definition'> = {},
): ExportedTable {
  // Sections read and write rows without using their fields.
  return { section, definition, ...options };
}

interface StoreParts {
  /** Stores opened so far. The object is complete when it is used. */
  readonly stores: Stores;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

export interface RecordParts extends StoreParts {
  readonly table: Tables;
  /** Log entries that were written with their owner, and are not in the log yet. */
  readonly carried?: Pick<AuditOutbox, 'of' | 'prune'> | undefined;
}

interface FamilyParts extends StoreParts {
  readonly table: Tables;
  /** Called when background work failed; it is tried again. */
  readonly onError: (error: unknown, what: string) => void;
  /** Maximum number each of accounts, keys and client addresses with data in memory, for the service. */
  readonly maxClients: number | undefined;
  /** Registers work to do before the connection is closed. */
  readonly onClose: (close: () => Promise<void>) => void;
}

export interface EmbeddedFamily extends FamilyParts {
  readonly db: Database;
}

export interface ClusterFamily extends FamilyParts {
  readonly mongo: MongoConnection;
  readonly redis: RedisConnection;
  /** The servers' clock, which is the same for all processes. Tests replace it. */
  readonly clock: { readonly now?: () => number };
}
