// Opens the store family (embedded or cluster) that the environment selects. Only the selected family and its drivers
// are loaded.
import { isCluster, type Env } from '../../../config/env.js';
import type { Feature } from '../feature.js';
import type { Stores } from './stores.js';

export type StoresEnv = Pick<Env, 'DATA_DIR' | 'MONGODB_URI' | 'REDIS_URL'>;

interface OpenOptions {
  readonly features: readonly Feature[];
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called when background work of the stores has failed. The work is repeated later. */
  readonly onError: (error: unknown, what: string) => void;
  /** Maximum number of accounts, of keys, and of client addresses for which the service keeps data in memory. */
  readonly maxClients?: number;
}

/** Opens the stores for the service. Rejects with ConfigError if they cannot be used. */
export async function openServiceStores(env: StoresEnv, options: OpenOptions): Promise<Stores> {
  if (isCluster(env)) return (await import('./cluster-stores.js')).openServiceStores(clusterOptions(env, options));
  const { openServiceStores: open } = await import('./embedded-stores.js');
  return open(embeddedOptions(env, options));
}

/** Opens the stores for a command. The service may be running. Rejects with ConfigError if they cannot be used. */
export async function openCommandStores(env: StoresEnv, options: OpenOptions): Promise<Stores> {
  if (isCluster(env)) return (await import('./cluster-stores.js')).openClusterStores(clusterOptions(env, options));
  const { openCommandStores: open } = await import('./embedded-stores.js');
  return open(embeddedOptions(env, options));
}

/**
 * Returns true for a cluster, or if the embedded database exists. Writes nothing, unlike `openCommandStores`, which
 * creates a missing embedded database.
 */
export async function hasDatabase(env: StoresEnv): Promise<boolean> {
  if (isCluster(env)) return true;
  return (await import('./embedded-stores.js')).hasDatabase(env.DATA_DIR);
}

/**
 * Runs `work`. If the disk of DATA_DIR is full, rejects with ConfigError. `need`: end of the error message, which says
 * what to do.
 */
export async function namingFullDisk<Result>(
  env: StoresEnv,
  need: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isCluster(env)) return work();
  return (await import('./embedded-stores.js')).namingFullDisk(env.DATA_DIR, need, work);
}

function embeddedOptions({ DATA_DIR }: StoresEnv, options: OpenOptions) {
  return { ...options, dataDir: DATA_DIR };
}

function clusterOptions({ MONGODB_URI, REDIS_URL }: StoresEnv, options: OpenOptions) {
  return { ...options, mongodbUri: MONGODB_URI, redisUrl: REDIS_URL };
}
