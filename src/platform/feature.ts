// A feature as a value: everything that the service, the documents, the jobs, the commands and the migration take from it.
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

/** Features add further parts by declaration merging. */
export interface Feature {
  readonly name: string;
  readonly commands?: Readonly<Record<string, CommandEntry>>;
  /** Subcommands that this feature adds to commands of other features, by the name of the command. */
  readonly subcommands?: Readonly<Record<string, () => Promise<readonly Subcommand[]>>>;
  readonly routes?: () => Promise<(context: RouteContext) => readonly Route[] | Promise<readonly Route[]>>;
  readonly jobs?: () => Promise<FeatureJobs>;
  readonly records?: () => Promise<FeatureRecords>;
  /** Stores of the embedded family. */
  readonly embedded?: () => Promise<(family: EmbeddedFamily) => Partial<Stores>>;
  /** Stores of the cluster family. */
  readonly cluster?: () => Promise<(family: ClusterFamily) => Partial<Stores>>;
  /** Services above the stores of accounts. The service and commands have them. */
  readonly open?: () => Promise<(opening: Opening) => Opened | Promise<Opened>>;
  /** Services for requests. */
  readonly serve?: () => Promise<(serving: Serving) => Opened | Promise<Opened>>;
  /** Removes what Redis knows of rows that a migration writes. */
  readonly forgetInRedis?: ForgetInRedis;
  /** What `doctor` says of this feature. */
  readonly doctor?: () => Promise<Doctor>;
}

/** A command in the overview. */
export interface CommandEntry {
  readonly help: string;
  /** The words behind its name. */
  readonly example: string;
  /** When it runs: each has libraries that others do not need. */
  readonly load: (features: readonly Feature[]) => Promise<{ readonly default: Command | readonly Subcommand[] }>;
}

export interface RouteContext {
  readonly deployment: Deployment;
  readonly features: readonly Feature[];
  /** The routes of all features. For documents, which are made for the first request. */
  readonly routes: () => readonly Route[];
}

export interface FeatureJobs {
  readonly jobs?: readonly Job[];
  readonly prunes?: readonly Prune[];
}

/** Tables of records, which are the same in both families. */
export interface FeatureRecords {
  readonly tables: readonly ExportedTable[];
  readonly stores: (parts: RecordParts, features: readonly Feature[]) => Partial<Stores>;
}

export interface ForgetInRedis {
  /** The table of the rows. */
  readonly table: string;
  /** No process serves meanwhile. Rejects with AppError `unavailable`. */
  readonly load: () => Promise<(redis: RedisConnection, ids: readonly string[]) => Promise<void>>;
}

export interface Doctor {
  /** Findings about settings and outside systems. */
  readonly settings?: (env: Env) => Promise<readonly Finding[]>;
  /** Findings about what is stored. Writes nothing. */
  readonly stored?: (parts: Pick<RecordParts, 'table'>) => Promise<readonly Finding[]>;
}

export interface Opening {
  readonly env: Env;
  readonly features: readonly Feature[];
  readonly stores: Stores;
  /** What is open already; complete when the first request arrives. */
  readonly services: Services;
  readonly metrics: PrometheusMetrics | undefined;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onError: ReportError;
  /** `by the job`: a command leaves mails to the service. */
  readonly mails: 'at once' | 'by the job';
}

export interface Serving extends Opening {
  readonly log: Logger;
  readonly shares: MemoryShares;
  /** Clients and accounts of which something is kept in memory: at most so many of each. */
  readonly maxClients: number;
  readonly fence: Fence;
  readonly compression: Compression;
}

export interface Opened {
  readonly services: Partial<Services>;
  /** Parts of `/readyz` by name; each rejects while its part cannot be used. */
  readonly checks?: Readonly<Record<string, () => Promise<void>>>;
  /** From now on this process runs jobs. */
  readonly startJobs?: () => void;
  /** Takes over what another process has published. */
  readonly refresh?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}
