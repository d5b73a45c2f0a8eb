// A feature as a value: everything that the service, the documents, the jobs, the commands and the migration use of it.
// The list of features is src/features.ts. Parts are loaded when they are used, so that a command starts fast.
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
import type { ClusterFamily, EmbeddedFamily, ExportedTable, RecordParts } from './stores/feature-stores.js';
import type { RedisConnection } from './stores/redis/connection.js';
import type { Stores } from './stores/stores.js';

/** Parts of a feature. Features add further parts by declaration merging. */
export interface Feature {
  readonly name: string;
  readonly commands?: Readonly<Record<string, CommandEntry>>;
  /** Subcommands that this feature adds to other features' commands, by command name. */
  readonly subcommands?: Readonly<Record<string, () => Promise<readonly Subcommand[]>>>;
  readonly routes?: () => Promise<(context: RouteContext) => readonly Route[] | Promise<readonly Route[]>>;
  readonly jobs?: () => Promise<FeatureJobs>;
  readonly records?: () => Promise<FeatureRecords>;
  /** Stores of the embedded family. */
  readonly embedded?: () => Promise<(family: EmbeddedFamily) => Partial<Stores>>;
  /** Stores of the cluster family. */
  readonly cluster?: () => Promise<(family: ClusterFamily) => Partial<Stores>>;
  /** Services on top of the stores of accounts, for the service and for commands. */
  readonly open?: () => Promise<(opening: Opening) => Opened | Promise<Opened>>;
  /** Services that only requests need. */
  readonly serve?: () => Promise<(serving: Serving) => Opened | Promise<Opened>>;
  /** Removes Redis data about rows that a migration writes. */
  readonly forgetInRedis?: ForgetInRedis;
  /** Checks of this feature for `doctor`. */
  readonly doctor?: () => Promise<Doctor>;
}

/** A command in the overview. */
export interface CommandEntry {
  readonly help: string;
  /** Example of the words after the command's name. */
  readonly example: string;
  /** Loads the command when it runs, because each command needs different libraries. */
  readonly load: (features: readonly Feature[]) => Promise<{ readonly default: Command | readonly Subcommand[] }>;
}

export interface RouteContext {
  readonly deployment: Deployment;
  readonly features: readonly Feature[];
  /** Returns the routes of all features, for documents that are built at the first request. */
  readonly routes: () => readonly Route[];
}

export interface FeatureJobs {
  readonly jobs?: readonly Job[];
  readonly prunes?: readonly Prune[];
}

/** Tables of records, which are the same in both store families. */
export interface FeatureRecords {
  readonly tables: readonly ExportedTable[];
  readonly stores: (parts: RecordParts, features: readonly Feature[]) => Partial<Stores>;
}

export interface ForgetInRedis {
  /** Table of the rows. */
  readonly table: string;
  /** Loads the function that removes the data. No process may serve meanwhile. Rejects with AppError `unavailable`. */
  readonly load: () => Promise<(redis: RedisConnection, ids: readonly string[]) => Promise<void>>;
}

export interface Doctor {
  /** Returns findings about settings and external systems. */
  readonly settings?: (env: Env) => Promise<readonly Finding[]>;
  /** Returns findings about stored data. Writes nothing. */
  readonly stored?: (parts: Pick<RecordParts, 'table'>) => Promise<readonly Finding[]>;
}

export interface Opening {
  readonly env: Env;
  readonly features: readonly Feature[];
  readonly stores: Stores;
  /** Services opened so far. The object is complete when the first request arrives. */
  readonly services: Services;
  readonly metrics: PrometheusMetrics | undefined;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: ReportError;
  /** `by the job`: a command leaves mails to the service. */
  readonly mails: 'at once' | 'by the job';
}

export interface Serving extends Opening {
  readonly log: Logger;
  readonly shares: MemoryShares;
  /** Maximum number of clients, and of accounts, with data in memory. */
  readonly maxClients: number;
  readonly fence: Fence;
  readonly compression: Compression;
}

export interface Opened {
  readonly services: Partial<Services>;
  /** Parts of `/readyz` by name. A check rejects while its part cannot be used. */
  readonly checks?: Readonly<Record<string, () => Promise<void>>>;
  /** Starts running jobs in this process. */
  readonly startJobs?: () => void;
  /** Loads what another process has published. */
  readonly refresh?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}
