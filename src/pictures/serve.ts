// Services that request handlers need for pictures, with the drawing processes and the caches.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { isCluster, type Env } from '../../config/env.js';
import type { MemoryShares } from '../../config/memory.js';
import { openPictureFiles, type OpenedPictureStore } from './picture-store.files.js';
import { openRasterizer } from './rasterizer.worker.js';
import type { Rasterizer } from './rasterizer.js';
import { Pictures } from './pictures.js';
import type { Serving } from '../platform/feature.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { Favicons } from './favicons.js';
import { createStrips } from './strips.js';

/** Version of all pictures. Increase it in a release in which a request returns other bytes than before. */
const PICTURE_VERSION = '10';
const MEGABYTE = 1024 * 1024;

export function servePictures({ env, shares, services, metrics, log, fence, compression }: Serving) {
  const { catalog, brands } = services;
  const rasterizer = openServiceRasterizer({ env, log, metrics, fence });
  const pictureStore = openPictureStore(env, shares, log);
  const pictures = new Pictures({
    ...{ catalog, rasterizer, pictureStore, compression },
    cacheBytes: shares.pictures,
    underWayBytes: shares.picturesUnderWay,
    maxQueue: env.RENDER_QUEUE,
    pictureVersion: PICTURE_VERSION,
    onPicture: metrics?.picture,
    onWait: metrics?.pictureWait,
  });
  metrics?.gauge('pictures_waiting', () => pictures.waiting());
  metrics?.gauge('pictures_bytes', () => pictures.cachedBytes());
  return {
    services: {
      pictures,
      strips: createStrips({ catalog, pictures, brands }),
      favicons: new Favicons({ pictures }),
    },
    async close() {
      await rasterizer.close();
      await pictureStore?.close();
    },
  };
}

export function openServiceRasterizer({
  env,
  log,
  metrics,
  fence,
}: Pick<Serving, 'env' | 'log' | 'metrics' | 'fence'>) {
  const rasterizer = openRasterizer({
    fence,
    worker: new URL('../../workers/rasterize/rasterize.js', import.meta.url),
    // There is one process more than RENDER_THREADS. It stays free for cheap pictures while costly pictures use the
    // other processes.
    processes: env.RENDER_THREADS + 1,
    timeoutMs: env.RENDER_TIMEOUT_MS,
    onLoss: (reason) => log.warn({ reason }, 'drawing failed; the drawing process will be restarted'),
  });
  return measured(rasterizer, metrics);
}

function measured(rasterizer: Rasterizer, metrics: Metrics | undefined): Rasterizer {
  if (!metrics) return rasterizer;
  return {
    ...rasterizer,
    async rasterize(job) {
      const beganMs = performance.now();
      try {
        return await rasterizer.rasterize(job);
      } finally {
        metrics.drawing((performance.now() - beganMs) / 1000);
      }
    },
  };
}

/** Opens the picture store on disk. Returns undefined if pictures are not stored on disk. */
function openPictureStore(env: Env, shares: MemoryShares, log: Logger): OpenedPictureStore | undefined {
  if (env.RENDER_DISK_CACHE_MB === 0) return undefined;
  return openPictureFiles({
    folder: join(env.DATA_DIR, 'pictures'),
    maxBytes: env.RENDER_DISK_CACHE_MB * MEGABYTE,
    maxWaitingBytes: shares.unwrittenPictures,
    // Only one process uses an embedded database and its folder.
    isAlone: !isCluster(env),
    now: Date.now,
    onError: (error) =>
      log.warn({ err: error }, 'the disk cache for pictures does not work; pictures are drawn again instead'),
  });
}
