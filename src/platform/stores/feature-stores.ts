// Parameters with which features open their stores.
import type { MongoConnection } from './mongodb/connection.js';
import type { AuditOutbox } from './mongodb/audit-outbox.js';
import type { RedisConnection } from './redis/connection.js';
import type { Database } from './sqlite/guarded-database.js';
import type { Stores } from './stores.js';
import type { RecordSchema, TableDefinition, Tables } from './tables.js';

/** Table of records that backups and migrations include. */
export interface ExportTableDefinition {
  /** Plural name of the rows in messages. */
  readonly name: string;
  readonly definition: TableDefinition<RecordSchema>;
  /** Number of rows that are copied at once. Set only if rows are large. */
  readonly atOnce?: number;
  /** True if rows are first stored in the account's document, and later moved to their own table (`Table.carried`). */
  readonly isCarried?: true;
  /** True if rows are independent of other data. Processes may then write rows while a backup reads them. */
  readonly isHistory?: true;
}

/** Defines an export table. `options` are further fields of `ExportTableDefinition`. */
export function exportTable<Schema extends RecordSchema>(
  name: string,
  definition: TableDefinition<Schema>,
  options: Omit<ExportTableDefinition, 'name' | 'definition'> = {},
): ExportTableDefinition {
  return { name, definition, ...options };
}

interface StoreParts {
  /** All stores. The object is filled while the features are opened, and is complete before a store is used. */
  readonly stores: Stores;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

export interface RecordParts extends StoreParts {
  readonly table: Tables;
  /** Log entries that are stored in the document of their owner (such as the account) and not yet moved to the log. */
  readonly carried?: Pick<AuditOutbox, 'of' | 'prune'> | undefined;
}

interface FamilyParts extends StoreParts {
  readonly table: Tables;
  /** Called when background work has failed. The work is repeated later. */
  readonly onError: (error: unknown, what: string) => void;
  /** Maximum number of accounts, of keys, and of client addresses for which the service keeps data in memory. */
  readonly maxClients: number | undefined;
  /** Registers a function that must run before the connection is closed. */
  readonly onClose: (close: () => Promise<void>) => void;
}

export interface EmbeddedFamily extends FamilyParts {
  readonly db: Database;
}

export interface ClusterFamily extends FamilyParts {
  readonly mongo: MongoConnection;
  readonly redis: RedisConnection;
  /** Clock of the database servers, so that all processes use the same time. Tests replace it by `now`. */
  readonly clock: { readonly now?: () => number };
}
