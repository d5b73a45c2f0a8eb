// PM2: `npm ci`, then `pm2 start ecosystem.config.js`; a new release: `npm ci`, then `npm run reload`. One process for half of the
// cores each; what they share of the machine is divided among them. docs/install.md, "PM2".
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
    // The old process ends when the new one is ready to take requests. After this limit PM2 would end it all the same, and
    // nothing would serve any more; so it is the longest that a timer takes, 24 days. `npm run reload` has a limit of its own.
    wait_ready: true,
    listen_timeout: 2 ** 31 - 1,
    // After SIGINT a process finishes what is in flight, and is gone within 10 s.
    kill_timeout: 11_000,
    // 128 MB of finished pictures are part of MEMORY_MB; what exceeds them is added.
    max_memory_restart: `${Number(memoryMb) + Math.max(0, Number(picturesMb) - 128)}M`,
    // Restarts wait longer each time, so that a service that cannot start does not fill the log.
    exp_backoff_restart_delay: 200,
    merge_logs: true,
    env: {
      // Named here, each of them: by this file, PM2 passes a changed variable on to a running process only if it names it.
      ...env,
      NODE_ENV: 'production',
      HOST: env.HOST ?? '0.0.0.0',
      RENDER_THREADS: env.RENDER_THREADS ?? share(cores),
      MEMORY_MB: memoryMb,
      RENDER_CACHE_MB: picturesMb,
      // All but two hash passwords: one in each process where there are several.
      UV_THREADPOOL_SIZE: env.UV_THREADPOOL_SIZE ?? (instances > 1 ? '3' : '4'),
    },
  },
];
