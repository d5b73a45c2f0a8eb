// What features get to open their stores.
import type { MongoConnection } from './mongodb/connection.js';
import type { AuditOutbox } from './mongodb/audit-outbox.js';
import type { RedisConnection } from './redis/connection.js';
import type { Database } from './sqlite/guarded-database.js';
import type { Stores } from './stores.js';
import type { RecordSchema, TableDefinition, Tables } from './tables.js';

/** A table of records as a section of backups and migrations. */
export interface ExportedTable {
  /** Name of its rows, for people. */
  readonly section: string;
  readonly definition: TableDefinition<RecordSchema>;
  /** Rows that are copied at once, where they are large. */
  readonly atOnce?: number;
  /** Rows are first written with an account (`Table.carried`). */
  readonly isCarried?: true;
  /** Written while processes serve and a backup runs: its rows need not be of the same moment as the others. */
  readonly isHistory?: true;
}

/** Options are the fields of `ExportedTable` beside its name and definition. */
export function exportedTable<Schema extends RecordSchema>(
  section: string,
  definition: TableDefinition<Schema>,
  options: Omit<ExportedTable, 'section' | 'definition'> = {},
): ExportedTable {
  // Sections read and write rows without looking into them.
  return { section, definition, ...options };
}

interface StoreParts {
  /** What is open already; complete when it is used. */
  readonly stores: Stores;
  /** ms since the epoch */
  readonly now: () => number;
}

export interface RecordParts extends StoreParts {
  readonly table: Tables;
  /** Entries of a log that were written with their owner, and are not in the log yet. */
  readonly carried?: Pick<AuditOutbox, 'of' | 'prune'> | undefined;
}

interface FamilyParts extends StoreParts {
  readonly table: Tables;
  /** Work in the background failed, and is tried again. */
  readonly onError: (error: unknown, what: string) => void;
  /** Accounts, keys and client addresses of which something is in memory: each so many. For the service. */
  readonly maxClients: number | undefined;
  /** Registers work that is done before the connection is closed. */
  readonly onClose: (close: () => Promise<void>) => void;
}

export interface EmbeddedFamily extends FamilyParts {
  readonly db: Database;
}

export interface ClusterFamily extends FamilyParts {
  readonly mongo: MongoConnection;
  readonly redis: RedisConnection;
  /** For what needs the clock of the servers, which is the same for all processes; tests have one of their own. */
  readonly clock: { readonly now?: () => number };
}
