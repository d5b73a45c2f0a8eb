// The picture half of the service: the processes that draw, and pictures with their caches.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { isCluster, type Env } from '../../config/env.js';
import type { MemoryShares } from '../../config/memory.js';
import { openPictureFiles, type OpenedPictureStore } from '../pictures/picture-store.files.js';
import type { PrometheusMetrics } from '../platform/metrics/prometheus.js';
import { openFence, type Fence } from '../platform/processes/fence.js';
import { openRasterizer } from '../pictures/rasterizer.worker.js';
import type { PictureStore } from '../pictures/picture-store.js';
import type { Rasterizer } from '../pictures/rasterizer.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Compression } from '../platform/http/response/compression.js';
import { Pictures } from '../pictures/pictures.js';
import { measuredRasterizer } from './port-metrics.js';

/** Raise it when the same request would give other bytes than before. */
const PICTURE_VERSION = '10';
const MEGABYTE = 1024 * 1024;

/** The processes that draw, behind a fence, which is also that of those that sanitize. */
export async function openMeasuredRasterizer(
  env: Env,
  log: Logger,
  metrics: PrometheusMetrics | undefined,
): Promise<{ readonly rasterizer: Rasterizer; readonly fence: Fence }> {
  // The fence hides what exists by now. A folder that cannot be made is reported by those that need it.
  await mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const fence = await openFence(env.DATA_DIR);
  const { holds, lacks } = fence;
  log[fence.hasNamespaces ? 'info' : 'warn']({ holds, lacks }, 'the fence around processes that draw');
  const rasterizer = openRasterizer({
    fence,
    worker: new URL('../../workers/rasterize/rasterize.js', import.meta.url),
    // One more, which is free for cheap pictures while costly ones have all others.
    processes: env.RENDER_THREADS + 1,
    timeoutMs: env.RENDER_TIMEOUT_MS,
    onLoss: (reason) => log.warn({ reason }, 'drawing failed; the next picture has a new process'),
  });
  return { rasterizer: measuredRasterizer(rasterizer, metrics), fence };
}

interface PictureParts {
  readonly env: Env;
  readonly shares: MemoryShares;
  readonly metrics: PrometheusMetrics | undefined;
  readonly catalog: Catalog;
  readonly rasterizer: Rasterizer;
  readonly pictureStore: PictureStore | undefined;
  readonly compression: Compression;
}

export function composePictures({ env, shares, metrics, ...parts }: PictureParts): Pictures {
  const pictures = new Pictures({
    ...parts,
    cacheBytes: shares.pictures,
    underWayBytes: shares.picturesUnderWay,
    maxQueue: env.RENDER_QUEUE,
    pictureVersion: PICTURE_VERSION,
    onPicture: metrics?.picture,
    onWait: metrics?.pictureWait,
  });
  metrics?.gauge('pictures_waiting', () => pictures.waiting());
  metrics?.gauge('pictures_bytes', () => pictures.cachedBytes());
  return pictures;
}

/** Undefined: none are kept on disk. */
export function openPictureStore(env: Env, shares: MemoryShares, log: Logger): OpenedPictureStore | undefined {
  if (env.RENDER_DISK_CACHE_MB === 0) return undefined;
  return openPictureFiles({
    folder: join(env.DATA_DIR, 'pictures'),
    maxBytes: env.RENDER_DISK_CACHE_MB * MEGABYTE,
    maxWaitingBytes: shares.unwrittenPictures,
    // An embedded database has one process.
    isAlone: !isCluster(env),
    now: Date.now,
    onError: (error) => log.warn({ err: error }, 'pictures cannot be kept on disk; they are drawn again'),
  });
}
