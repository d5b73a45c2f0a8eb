// Helpers for pictures: a picture service with the imported catalog, and a decoder to pixels.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { openCatalogTools, type CatalogTools } from '../../src/catalog/catalog-tools.js';
import { openRasterizer, type RasterizerOptions } from '../../src/pictures/rasterizer.worker.js';
import type { Entry, Slug } from '../../src/catalog/entry.js';
import { PICTURE_QUERIES, pictureRequest, type PictureFormat } from '../../src/pictures/picture-request.js';
import type { RasterizeJob, Rasterizer } from '../../src/pictures/rasterizer.js';
import { openCatalog, type Catalog } from '../../src/catalog/catalog.js';
import { createCompression } from '../../src/platform/http/response/compression.js';
import { publicCatalog } from '../../src/catalog/account-catalogs.js';
import { Pictures } from '../../src/pictures/pictures.js';
import type { PictureClient } from '../../src/pictures/rasterize-request.js';
import { all } from './catalog-imports.js';
import { catalogFolder, type CatalogPart } from './sample-catalog.js';
import { embeddedIn } from './stores.js';
import { temporaryDir } from './temporary.js';

const WORKER = new URL('../../workers/rasterize/rasterize.js', import.meta.url);

export function testRasterizer(options: Partial<RasterizerOptions> = {}): Rasterizer {
  return openRasterizer({ worker: WORKER, processes: 3, timeoutMs: 10_000, ...options });
}

export function countingRasterizer(drawn: RasterizeJob[]): Rasterizer {
  const inner = testRasterizer();
  const rasterize: Rasterizer['rasterize'] = (job) => {
    drawn.push(job);
    return inner.rasterize(job);
  };
  return { capacity: inner.capacity, rasterize, close: () => inner.close() };
}

/** Creates a client that stays connected until the test aborts `signal`. */
export function someClient(fairnessKey = 'somebody', signal = new AbortController().signal): PictureClient {
  return {
    fairnessKey,
    isStranger: false,
    signal: () => signal,
    inTime: (reading) => reading,
    onceAnswered: () => undefined,
  };
}

export type Parameters = Readonly<Record<string, string>>;

export interface OpenedPictures {
  readonly catalog: Catalog;
  readonly entries: readonly Entry[];
  readonly pictures: Pictures;
  readonly make: (format: PictureFormat, slug: Slug, parameters: Parameters) => Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a picture service with empty caches. */
export async function openPictures(rasterizer: Rasterizer, part: CatalogPart = 'sample'): Promise<OpenedPictures> {
  const { path, remove } = temporaryDir();
  cpSync(await catalogFolder(part), join(path, 'data'), { recursive: true });
  const tools: CatalogTools = await openCatalogTools(embeddedIn(join(path, 'data')));
  const catalog = await openCatalog({ store: tools.store, bounds: { entryBytes: 2 ** 24, drawingChars: 2 ** 24 } });
  const entries = await all(tools.store.entries());
  const pictures = new Pictures({
    catalog,
    rasterizer,
    compression: createCompression(),
    cacheBytes: 2 ** 26,
    underWayBytes: 2 ** 28,
    maxQueue: 1000,
    pictureVersion: 'test',
  });
  return {
    catalog,
    entries,
    pictures,
    async make(format, slug, parameters) {
      const plan = await pictures.plan(
        publicCatalog(catalog),
        slug,
        pictureRequest(format, PICTURE_QUERIES[format].parse(parameters)),
      );
      if (plan.kind !== 'picture') throw new Error(`${slug}: ${plan.kind}`);
      const outcome = await pictures.render(plan, someClient());
      if (!outcome.ok) throw new Error(`${slug} ${JSON.stringify(parameters)}: ${outcome.message}`);
      return Buffer.from(outcome.body as Uint8Array);
    },
    async close() {
      catalog.close();
      await rasterizer.close();
      await tools.close();
      remove();
    },
  };
}

export interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Pixels: RGBA, alpha not premultiplied. */
  readonly rgba: Uint8Array;
}

export async function decode(bytes: Uint8Array): Promise<Decoded> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}
