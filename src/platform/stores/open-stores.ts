// The stores of the family that the environment names. Each is imported when it is used, with its drivers.
import { isCluster, type Env } from '../../../config/env.js';
import type { Feature } from '../feature.js';
import type { Stores } from './stores.js';

export type StoresEnv = Pick<Env, 'DATA_DIR' | 'MONGODB_URI' | 'REDIS_URL'>;

interface OpenOptions {
  readonly features: readonly Feature[];
  /** ms since the epoch */
  readonly now: () => number;
  /** Work of the stores in the background failed, and is tried again. */
  readonly onError: (error: unknown, what: string) => void;
  /** Accounts, keys and client addresses of which something is in memory: each so many. For the service. */
  readonly maxClients?: number;
}

/** For the service. Rejects with ConfigError when the stores cannot be used. */
export async function openServiceStores(env: StoresEnv, options: OpenOptions): Promise<Stores> {
  if (isCluster(env)) return (await import('./cluster-stores.js')).openServiceStores(clusterOptions(env, options));
  const { openServiceStores: open } = await import('./embedded-stores.js');
  return open(embeddedOptions(env, options));
}

/** For a command beside the service. Rejects with ConfigError when the stores cannot be used. */
export async function openCommandStores(env: StoresEnv, options: OpenOptions): Promise<Stores> {
  if (isCluster(env)) return (await import('./cluster-stores.js')).openClusterStores(clusterOptions(env, options));
  const { openCommandStores: open } = await import('./embedded-stores.js');
  return open(embeddedOptions(env, options));
}

/** True when there is a database already; an embedded one is created by `openCommandStores`. Writes nothing. */
export async function hasDatabase(env: StoresEnv): Promise<boolean> {
  if (isCluster(env)) return true;
  return (await import('./embedded-stores.js')).hasDatabase(env.DATA_DIR);
}

/** Does `work`. When the disk of DATA_DIR is full, it rejects with ConfigError, which names the folder and ends with `need`. */
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
