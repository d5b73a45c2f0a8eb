// PM2: run `npm ci`, then `pm2 start ecosystem.config.js`. For a new release, run `npm ci`, then `npm run reload`. One process for
// every two cores; the shares of the machine are divided among them. docs/install.md, "PM2".
import { availableParallelism } from 'node:os';
import { constrainedMemory, env } from 'node:process';

const cores = availableParallelism();
/** Without MongoDB and Redis there is one process, and none beside it during a reload: the embedded database is its own. */
const isCluster = Boolean(env.MONGODB_URI);
const instances = isCluster ? Number(env.BLAZON_INSTANCES ?? Math.max(1, Math.ceil(cores / 2))) : 1;

/** One process's share. */
function share(total, least = 1) {
  return String(Math.max(least, Math.floor(total / instances)));
}

/** MEMORY_MB's default, config/memory.ts, of each process: less in a container with less. */
const limitMb = constrainedMemory() > 0 ? constrainedMemory() / 2 ** 20 : Infinity;
const memoryMb = env.MEMORY_MB || String(Math.max(128, Math.floor(Math.min(700, limitMb / instances))));
const picturesMb = env.RENDER_CACHE_MB || share(512, 64);

/** Named: PM2 ignores a default export of an ES module. */
export const apps = [
  {
    name: 'blazon',
    script: 'dist/src/main.js',
    exec_mode: isCluster ? 'cluster' : 'fork',
    instances,
    // The old process ends when the new one is ready. After this limit, PM2 would end the old one anyway, and nothing would serve. So it
    // is the longest possible timer, 24 days. `npm run reload` has its own limit.
    wait_ready: true,
    listen_timeout: 2 ** 31 - 1,
    // After SIGINT, a process finishes open requests and exits within 10 s.
    kill_timeout: 11_000,
    // MEMORY_MB includes 128 MB for finished pictures. A larger RENDER_CACHE_MB is added.
    max_memory_restart: `${Number(memoryMb) + Math.max(0, Number(picturesMb) - 128)}M`,
    // Increases the wait before each restart, so that a service that cannot start does not fill the log.
    exp_backoff_restart_delay: 200,
    merge_logs: true,
    env: {
      // PM2 only passes a changed variable to a running process if this file names it.
      ...env,
      NODE_ENV: 'production',
      HOST: env.HOST ?? '0.0.0.0',
      RENDER_THREADS: env.RENDER_THREADS ?? share(cores),
      MEMORY_MB: memoryMb,
      RENDER_CACHE_MB: picturesMb,
      // All but two threads hash passwords: one per process if there are several.
      UV_THREADPOOL_SIZE: env.UV_THREADPOOL_SIZE ?? (instances > 1 ? '3' : '4'),
    },
  },
];
