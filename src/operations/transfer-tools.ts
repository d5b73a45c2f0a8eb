// Shared parts of the commands that copy all data: migrate, backup and restore.
import { statSync } from 'node:fs';
import { ConfigError } from '../../config/config-error.js';
import { isCluster } from '../../config/env.js';
import type { Comparison, OnProgress } from './copy-tables.js';
import { compareAll, copyAll, countAll, type Side } from './transfer.js';
import type { StoresEnv } from '../platform/stores/open-stores.js';
import type { ClusterSide } from './transfer-cluster.js';
import {
  databaseIn,
  discardSnapshot,
  embeddedSide,
  namingFullDisk,
  NoRoomError,
  openEmbedded,
  openSnapshot,
  putInPlace,
  snapshotFault,
  whileStopped,
  writeSnapshot,
  type Database,
  type Snapshot,
} from './transfer-embedded.js';

export interface TransferOptions {
  readonly onProgress: OnProgress;
  /** True to keep an existing database under another name. False to throw an error if there is a database. */
  readonly replace: boolean;
}

export interface TransferReport {
  /** Comparisons of source and target. The written data is used only if all comparisons are equal. */
  readonly comparisons: readonly Comparison[];
  /**
   * New name of the replaced database: its path, or the prefix of its collections; undefined if no database was
   * replaced.
   */
  readonly kept?: string | undefined;
}

export interface Rehearsal {
  readonly counts: readonly (readonly [what: string, count: number])[];
  /** Reasons why the transfer would be rejected at this time. */
  readonly obstacles: readonly string[];
}

export { NoRoomError, snapshotFault };

/**
 * Copies from DATA_DIR to MONGODB_URI and REDIS_URL. Rejects with ConfigError if a process is using the source or the
 * target.
 */
export function migrateToCluster(env: StoresEnv, options: TransferOptions): Promise<TransferReport> {
  return whileStopped(env.DATA_DIR, () =>
    withDatabase(openEmbedded(env.DATA_DIR), async (db) => writeCluster(await embeddedSide(db), env, options)),
  );
}

/**
 * Copies from MONGODB_URI and REDIS_URL to DATA_DIR. Rejects with ConfigError if a process is using the source or the
 * target.
 */
export function migrateToEmbedded(env: StoresEnv, options: TransferOptions): Promise<TransferReport> {
  return whileStopped(env.DATA_DIR, async () => {
    assertReplaceable(env.DATA_DIR, options);
    return withCluster(env, (cluster) =>
      withSnapshot(openSnapshot(env.DATA_DIR), async (snapshot) => {
        await cluster.assertStopped();
        await cluster.settle();
        const to = await embeddedSide(snapshot.db);
        await copyAll(cluster, to, options.onProgress);
        const comparisons = await compareAll(cluster, to, options.onProgress);
        if (!areEqual(comparisons)) return { comparisons };
        return { comparisons, kept: putInPlace(snapshot, env.DATA_DIR) };
      }),
    );
  });
}

/** Counts the rows that a migration would copy. Processes may serve requests meanwhile. */
export function rehearse(env: StoresEnv, to: 'cluster' | 'embedded'): Promise<Rehearsal> {
  return withCluster(env, async (cluster) => {
    const taken = databaseIn(env.DATA_DIR);
    if (to === 'embedded')
      return {
        counts: await countAll(cluster),
        obstacles: [
          ...(await obstacles(cluster.assertStopped)),
          ...(taken === undefined ? [] : [`${taken} exists; use --replace to keep it under another name`]),
        ],
      };
    const stopped = await obstacles(() => whileStopped(env.DATA_DIR, () => Promise.resolve()));
    const writable = await obstacles(cluster.assertWritable);
    const counts = await withDatabase(openEmbedded(env.DATA_DIR), async (db) => countAll(await embeddedSide(db)));
    return { counts, obstacles: [...stopped, ...writable] };
  });
}

/**
 * Writes a backup to a new file. Processes may serve requests meanwhile. Rejects with NoRoomError or
 * SnapshotTooOldError.
 */
export async function backup(env: StoresEnv, file: string, onProgress: OnProgress): Promise<void> {
  if (!isCluster(env)) return withDatabase(openEmbedded(env.DATA_DIR), async (db) => writeSnapshot(db, file));
  await withCluster(env, (cluster) =>
    withSnapshot(openSnapshot(env.DATA_DIR), async ({ db }) => {
      await cluster.atOneMoment(async (side) => copyAll(side, await embeddedSide(db), onProgress));
      writeSnapshot(db, file);
    }),
  );
}

/**
 * Restores a backup into the configured stores. Before the call, `snapshotFault` must have accepted the backup. Rejects
 * with ConfigError if a process is running on these stores.
 */
export function restore(env: StoresEnv, file: string, options: TransferOptions): Promise<TransferReport> {
  return whileStopped(env.DATA_DIR, async () => {
    if (!isCluster(env)) assertReplaceable(env.DATA_DIR, options);
    const need = `${Math.ceil(statSync(file).size / 1_000_000)} MB are needed. Nothing was changed.`;
    return namingFullDisk(env.DATA_DIR, need, async () =>
      withSnapshot(openSnapshot(env.DATA_DIR, file), async (snapshot) => {
        const from = await embeddedSide(snapshot.db);
        if (isCluster(env)) return writeCluster(from, env, options);
        return { comparisons: [], kept: putInPlace(snapshot, env.DATA_DIR) };
      }),
    );
  });
}

function writeCluster(from: Side, env: StoresEnv, { onProgress, replace }: TransferOptions): Promise<TransferReport> {
  return withCluster(env, async (cluster) => {
    const prefix = await cluster.beginWriting({ replace });
    await copyAll(from, cluster, onProgress);
    const comparisons = await compareAll(from, cluster, onProgress);
    if (areEqual(comparisons)) await cluster.endWriting();
    return {
      comparisons,
      ...(prefix !== undefined && { kept: `in the collections that start with ${prefix}` }),
    };
  });
}

export function areEqual(comparisons: readonly Comparison[]): boolean {
  return comparisons.every(({ isEqual }) => isEqual);
}

function assertReplaceable(dataDir: string, { replace }: TransferOptions): void {
  const path = databaseIn(dataDir);
  if (!replace && path !== undefined)
    throw new ConfigError(
      `DATA_DIR: ${path} exists. Choose another folder, or use --replace to keep it under another name`,
    );
}

async function obstacles(check: () => Promise<void>): Promise<readonly string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

async function withCluster<Result>(env: StoresEnv, work: (cluster: ClusterSide) => Promise<Result>): Promise<Result> {
  const { openClusterSide } = await import('./transfer-cluster.js');
  const cluster = await openClusterSide({ mongodbUri: env.MONGODB_URI, redisUrl: env.REDIS_URL });
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
  }
}

async function withDatabase<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/**
 * Runs `work`, then deletes the snapshot. If `work` has moved the snapshot to the place of the database, deletes
 * nothing.
 */
async function withSnapshot<Result>(
  snapshot: Snapshot,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(snapshot);
  } finally {
    discardSnapshot(snapshot);
  }
}
