// The stores of the family that the environment names. Each is imported when it is used, with its drivers.
import { isCluster, type Env } from '../../config/env.js';
import { readPlans } from '../../config/plans.js';
import type { Finding } from '../domain/finding.js';
import type { Stores } from './stores.js';

/** What opening needs of the environment. */
export type StoresEnv = Pick<Env, 'DATA_DIR' | 'MONGODB_URI' | 'REDIS_URL'>;

/** For the service. `now` in ms since the epoch. Rejects with ConfigError when the stores cannot be used. */
export async function openServiceStores(env: StoresEnv, now: () => number): Promise<Stores> {
  if (isCluster(env)) return openCluster(env, now);
  const { openServiceStores: open } = await import('./embedded-stores.js');
  return open({ dataDir: env.DATA_DIR, plans: readPlans(), now });
}

/** For a command beside the service. Rejects with ConfigError when the stores cannot be used. */
export async function openCommandStores(env: StoresEnv, now: () => number): Promise<Stores> {
  if (isCluster(env)) return openCluster(env, now);
  const { openCommandStores: open } = await import('./embedded-stores.js');
  return open({ dataDir: env.DATA_DIR, plans: readPlans(), now });
}

/** Whether there is a database already; an embedded one is created by `openCommandStores`. Writes nothing. */
export async function hasDatabase(env: StoresEnv): Promise<boolean> {
  if (isCluster(env)) return true;
  return (await import('./embedded-stores.js')).hasDatabase(env.DATA_DIR);
}

/** What is wrong with the stores, each checked as far as it can be reached. Rejects with ConfigError as opening does. */
export async function inspectStores(env: StoresEnv): Promise<readonly Finding[]> {
  if (isCluster(env)) return (await import('./cluster-stores.js')).inspectClusterStores(clusterOptions(env, Date.now));
  const { inspectEmbeddedStores } = await import('./embedded-stores.js');
  return inspectEmbeddedStores({ dataDir: env.DATA_DIR, plans: readPlans(), now: Date.now });
}

async function openCluster(env: StoresEnv, now: () => number): Promise<Stores> {
  return (await import('./cluster-stores.js')).openClusterStores(clusterOptions(env, now));
}

function clusterOptions({ MONGODB_URI, REDIS_URL }: StoresEnv, now: () => number) {
  return { mongodbUri: MONGODB_URI, redisUrl: REDIS_URL, plans: readPlans(), now };
}
