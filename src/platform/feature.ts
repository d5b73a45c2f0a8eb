// Type of an object that describes a feature. It contains all parts that the service, the documents, jobs, commands and
// migrations use. src/features.ts lists the features. Parts are loaded on first use, so that a command starts fast.
import type { Logger } from 'pino';
import type { Env } from '../../config/env.js';
import type { MemoryShares } from '../../config/memory.js';
import type { Command, Subcommand } from './command-line/subcommand.js';
import type { Finding } from './doctor-finding.js';
import type { Route } from './http/route.js';
import type { Compression } from './http/response/compression.js';
import type { Job, Prune } from './jobs/job.js';
import type { PrometheusMetrics } from './metrics/prometheus.js';
import type { Fence } from './processes/fence.js';
import type { ReportError } from './report-error.js';
import type { Deployment, Services } from './services.js';
import type { ClusterFamily, EmbeddedFamily, ExportTableDefinition, RecordParts } from './stores/feature-stores.js';
import type { RedisConnection } from './stores/redis/connection.js';
import type { Stores } from './stores/stores.js';

/** Parts of a feature. Some features declare further parts by declaration merging. */
export interface Feature {
  readonly name: string;
  readonly commands?: Readonly<Record<string, CommandEntry>>;
  /** Subcommands that this feature adds to commands of other features, by command name. */
  readonly subcommands?: Readonly<Record<string, () => Promise<readonly Subcommand[]>>>;
  readonly routes?: () => Promise<(context: RouteContext) => readonly Route[] | Promise<readonly Route[]>>;
  readonly jobs?: () => Promise<FeatureJobs>;
  readonly records?: () => Promise<FeatureRecords>;
  readonly embedded?: () => Promise<(family: EmbeddedFamily) => Partial<Stores>>;
  readonly cluster?: () => Promise<(family: ClusterFamily) => Partial<Stores>>;
  /**
   * Opens the feature's services. They may use the stores, and the services of features that come earlier in the list.
   * Called by the server and by commands.
   */
  readonly open?: () => Promise<(opening: Opening) => Opened | Promise<Opened>>;
  /** Opens services that only request handlers need. Called only by the server. */
  readonly serve?: () => Promise<(serving: Serving) => Opened | Promise<Opened>>;
  /** Removes cached data from Redis when a migration writes the rows from which the data was made. */
  readonly forgetInRedis?: ForgetInRedis;
  readonly doctor?: () => Promise<Doctor>;
}

export interface CommandEntry {
  readonly help: string;
  /** Example of the arguments after the command's name. */
  readonly example: string;
  /** Loads the command on its first use, because each command needs other libraries. */
  readonly load: (features: readonly Feature[]) => Promise<{ readonly default: Command | readonly Subcommand[] }>;
}

export interface RouteContext {
  readonly deployment: Deployment;
  readonly features: readonly Feature[];
  /** Returns the routes of all features. Called when a document (such as the OpenAPI document) is first requested. */
  readonly routes: () => readonly Route[];
}

export interface FeatureJobs {
  readonly jobs?: readonly Job[];
  readonly prunes?: readonly Prune[];
}

/** Tables of records, which both store families use: embedded (SQLite) and cluster (MongoDB). */
export interface FeatureRecords {
  readonly tables: readonly ExportTableDefinition[];
  readonly stores: (parts: RecordParts, features: readonly Feature[]) => Partial<Stores>;
}

export interface ForgetInRedis {
  /** Name of the table from which the cached data was made. */
  readonly table: string;
  /**
   * Loads the function that removes the cached data. No process may serve requests while that function runs. That
   * function rejects with AppError `unavailable`.
   */
  readonly load: () => Promise<(redis: RedisConnection, ids: readonly string[]) => Promise<void>>;
}

export interface Doctor {
  /** Returns findings about environment variables and external systems. */
  readonly settings?: (env: Env) => Promise<readonly Finding[]>;
  readonly stored?: (parts: Pick<RecordParts, 'table'>) => Promise<readonly Finding[]>;
}

export interface Opening {
  readonly env: Env;
  readonly features: readonly Feature[];
  readonly stores: Stores;
  /** Services opened so far. All services are open when the first request arrives. */
  readonly services: Services;
  readonly metrics: PrometheusMetrics | undefined;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: ReportError;
  /**
   * How mails are sent. `at once`: this process sends them immediately. `by the job`: a job of the service sends the
   * mails that a command has stored.
   */
  readonly mails: 'at once' | 'by the job';
  /** Called with the path of each mail that is written to a file, because no mail server is set. */
  readonly onMailFile?: (file: string) => void;
}

export interface Serving extends Opening {
  readonly log: Logger;
  readonly shares: MemoryShares;
  /** Maximum number of clients for which data is kept in memory. The same limit applies to accounts. */
  readonly maxClients: number;
  readonly fence: Fence;
  readonly compression: Compression;
}

export interface Opened {
  readonly services: Partial<Services>;
  /** Health checks in `/readyz`, by name. A check rejects if the part of the service that it checks does not work. */
  readonly checks?: Readonly<Record<string, () => Promise<void>>>;
  readonly startJobs?: () => void;
  /** Loads data that another process has stored, such as a new catalog. */
  readonly refresh?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}
