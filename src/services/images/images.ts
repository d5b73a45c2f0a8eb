// Image plans: a slug and a request become an `ETag` and headers before anything is drawn.
import { LRUCache } from 'lru-cache';
import type { Entry, Slug } from '../../domain/catalog/entry.js';
import { WHITE, contrasting, type Color } from '../../domain/text/color.js';
import { composeSvg } from '../../domain/image/compose-svg.js';
import { imageGeometry } from '../../domain/image/geometry.js';
import { pictureKey, pictureOf, toneOf, type Picture } from '../../domain/image/render-spec.js';
import type { Fallback, ImageFormat, ImageRequest } from '../../domain/image/request.js';
import {
  MONOGRAM_SIDE,
  monogramBackground,
  monogramOfSlug,
  monogramSvg,
  type Monogram,
} from '../../domain/image/monogram.js';
import { strongEtag } from '../../domain/web/strong-etag.js';
import type { PictureStore } from '../../ports/picture-store.js';
import type { Rasterizer } from '../../ports/rasterizer.js';
import type { Catalog } from '../catalog/catalog.js';
import { createKeptCodings, type Codings, type Compression } from '../compression.js';
import { createPictureMemory, type PictureMemory } from './picture-memory.js';
import type { ImageBody, RenderClient, RenderOutcome, RenderRequest } from './render-request.js';
import { createRenders, MEMORY_FULL, type Renders } from './renders.js';

type ImageCatalog = Pick<Catalog, 'find' | 'asset' | 'state'>;

export interface PlannedImage {
  readonly kind: 'image';
  /** Strong, with its quotes. */
  readonly etag: string;
  /** For a fallback, when the catalog was published in which the slug is missing. */
  readonly lastModified: Date | undefined;
  /** The URL names the current revision, so the answer may be cached for ever. */
  readonly immutable: boolean;
  readonly fallback: Fallback | null;
  readonly filename: string;
  readonly contentType: string;
  /** Content codings of the rendered SVG, kept beside it; undefined for other formats. */
  readonly codings?: Codings;
  render(client: RenderClient): Promise<RenderOutcome>;
  /** The outcome of `render`, if it is in memory; draws nothing. */
  readonly peek: () => RenderOutcome | undefined;
}

export type ImagePlan =
  | PlannedImage
  | { readonly kind: 'moved'; readonly to: Slug }
  | { readonly kind: 'withdrawn'; readonly reason: string }
  | { readonly kind: 'missing' }
  /** `v` names another revision than the current one. */
  | { readonly kind: 'stale-version' };

export type Images = ReturnType<typeof createImages>;

interface ImagesOptions {
  readonly catalog: ImageCatalog;
  readonly rasterizer: Rasterizer;
  readonly compression: Compression;
  /** Undefined: pictures are in memory only. */
  readonly pictures?: PictureStore | undefined;
  readonly onPicture?: Parameters<typeof createRenders>[0]['onPicture'];
  readonly onWait?: Parameters<typeof createRenders>[0]['onWait'];
  /** Limit of finished pictures, SVG ones included, also in content codings. */
  readonly cacheBytes: number;
  /** Pictures that may wait to be drawn, in each lane. */
  readonly maxQueue: number;
  /** Changes whenever the same request would render to other bytes. */
  readonly rendererVersion: string;
}

/** SVG needs no `charset`: XML without a declaration is UTF-8. */
export const CONTENT_TYPES: Readonly<Record<ImageFormat, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
};

/** Size of a cache entry beside its bytes: key, object headers. */
const CACHE_ENTRY_OVERHEAD_BYTES = 512;

/** Memory for pictures under way, per drawing process: the largest picture, its pixels and its encoded form. */
const BYTES_PER_PROCESS = 128 * 2 ** 20;

/** A drawing, found but not yet read. */
interface Drawing {
  /** Names the drawing: equal for equal text. */
  readonly asset: string;
  readonly read: () => Promise<string> | string;
}

/** And how to place it. */
interface Subject extends Drawing {
  readonly picture: Picture;
  /** The form that PNG and WebP are drawn from, where it is another. */
  readonly painted?: Drawing | undefined;
}

/** Services that plans share. */
interface ImageContext {
  readonly catalog: ImageCatalog;
  readonly renders: Renders;
  readonly memory: PictureMemory;
  /** Finished pictures of all formats, by `pictureKey`. */
  readonly cache: LRUCache<string, ImageBody>;
  /** Content codings of an SVG, by its key. */
  readonly codingsOf: (key: string) => Codings;
  readonly rendererVersion: string;
}

export function createImages(options: ImagesOptions) {
  const { catalog, rasterizer, pictures, cacheBytes, maxQueue, rendererVersion, onPicture, onWait } = options;
  const cache = new LRUCache<string, ImageBody>({
    maxSize: cacheBytes,
    sizeCalculation: (body) => body.length + CACHE_ENTRY_OVERHEAD_BYTES,
  });
  const memory = createPictureMemory(BYTES_PER_PROCESS * rasterizer.capacity);
  const renders = createRenders({ rasterizer, cache, memory, pictures, maxQueue, onPicture, onWait });
  const codingsOf = createKeptCodings(options.compression, {
    get: (key) => bytesOf(cache.get(key)),
    set: (key, bytes) => cache.set(key, bytes),
  });
  const context = { catalog, renders, memory, cache, codingsOf, rendererVersion };
  return {
    /**
     * Throws AppError: `invalid_request` for a variant that is not there, `unprocessable` for a color that the
     * variant does not have.
     */
    plan: (slug: Slug, request: ImageRequest): Promise<ImagePlan> => plan(context, slug, request),
    /** The fallback of a slug or domain that is in no catalog. */
    planMissing: (monogram: Monogram, request: ImageRequest): ImagePlan => planMissing(context, monogram, request),
    /** Pictures that wait to be drawn. */
    waiting: renders.waiting,
    /** Finished pictures in memory. */
    cachedBytes: () => cache.calculatedSize,
  };
}

async function plan(context: ImageContext, slug: Slug, request: ImageRequest): Promise<ImagePlan> {
  const lookup = await context.catalog.find(slug);
  switch (lookup.kind) {
    case 'entry':
      return planEntry(context, lookup.entry, request);
    case 'moved':
      return { kind: 'moved', to: lookup.to };
    case 'withdrawn':
      return { kind: 'withdrawn', reason: lookup.reason };
    case 'missing':
      return planMissing(context, monogramOfSlug(slug), request);
  }
}

function planEntry(context: ImageContext, entry: Entry, request: ImageRequest): ImagePlan {
  if (request.revision !== null && request.revision !== entry.revision) return { kind: 'stale-version' };
  const { variant, picture } = pictureOf(entry, request);
  const { catalog } = context;
  const drawingOf = (etag: string): Drawing => ({ asset: etag, read: () => catalog.asset(etag) });
  const subject = {
    ...drawingOf(variant.etag),
    picture,
    painted: variant.painted === undefined ? undefined : drawingOf(variant.painted),
  };
  const name = variant.name === 'default' ? entry.slug : `${entry.slug}-${variant.name}`;
  return {
    lastModified: new Date(entry.updatedAt),
    ...planBody(context, subject, request),
    immutable: request.revision !== null,
    fallback: null,
    filename: `${name}.${request.format}`,
  };
}

function planMissing(context: ImageContext, monogram: Monogram, request: ImageRequest): ImagePlan {
  if (request.fallback === null) return { kind: 'missing' };
  if (request.revision !== null) return { kind: 'stale-version' };
  const published = context.catalog.state();
  return {
    // Later than any entry that was there before, and earlier than one that comes.
    lastModified: published && new Date(published.publishedAt),
    ...planBody(context, fallbackSubject(monogram, request.fallback, request), request),
    immutable: false,
    fallback: request.fallback,
    filename: `${monogram.name}.${request.format}`,
  };
}

function planBody(
  context: ImageContext,
  subject: Subject,
  request: ImageRequest,
): Pick<PlannedImage, 'kind' | 'etag' | 'contentType' | 'codings' | 'render' | 'peek'> {
  const { renders, memory, cache } = context;
  const { format } = request;
  const { asset } = format === 'svg' ? subject : (subject.painted ?? subject);
  // Pictures of earlier renderers become the oldest on disk, and go first.
  const key = `${context.rendererVersion}|${pictureKey(asset, subject.picture, request)}`;
  const common = {
    kind: 'image',
    etag: strongEtag(key),
    contentType: CONTENT_TYPES[format],
  } as const;
  if (format === 'svg') {
    return {
      codings: context.codingsOf(key),
      ...common,
      render: async (client) => {
        const body = cache.get(key) ?? (await client.inTime(composeCached(cache, key, subject)));
        return memory.hold(client, body) ? { ok: true, body } : MEMORY_FULL;
      },
      peek: () => cached(cache, key),
    };
  }
  const raster = rasterRequest(key, subject, { format, quality: request.quality });
  return { render: (client) => renders.render(raster, client), peek: () => renders.known(raster), ...common };
}

function cached(cache: LRUCache<string, ImageBody>, key: string): RenderOutcome | undefined {
  const body = cache.get(key);
  return body === undefined ? undefined : { ok: true, body };
}

function bytesOf(body: ImageBody | undefined): Uint8Array | undefined {
  return typeof body === 'string' ? undefined : body;
}

async function composeCached(
  cache: LRUCache<string, ImageBody>,
  key: string,
  { read, picture }: Subject,
): Promise<string> {
  const body = composeSvg(await read(), picture);
  cache.set(key, body);
  return body;
}

function rasterRequest(key: string, subject: Subject, encoding: RenderRequest['encoding']): RenderRequest {
  const { picture, painted } = subject;
  const { asset, read } = painted ?? subject;
  const { box, content } = picture.geometry;
  // The colors of the pictures in it are made grey with the others, after drawing.
  const greyscale = painted !== undefined && picture.greyscale;
  const drawn = greyscale ? { ...picture, greyscale: false } : picture;
  return {
    key,
    asset,
    size: { pixels: box.width * box.height, drawingPixels: Math.max(1, content.width * content.height) },
    encoding,
    read,
    job: async () => ({ svg: composeSvg(await read(), drawn), ...(greyscale && { greyscale }), ...box, ...encoding }),
  };
}

/** Unknown slugs have no variants and no brand color, so those parameters have nothing to choose from. */
function fallbackSubject(monogram: Monogram, fallback: Fallback, request: ImageRequest): Subject {
  const { layout, color } = request;
  const tone = toneOf(request);
  if (fallback === 'transparent') {
    const asset = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>';
    const picture = {
      geometry: imageGeometry({ width: 1, height: 1 }, layout),
      paint: null,
      background: layout.background && tone(layout.background),
      greyscale: false,
    };
    return { asset: 'transparent', read: () => asset, picture };
  }
  const background = tone(layout.background ?? monogramBackground(monogram));
  const geometry = imageGeometry({ width: MONOGRAM_SIDE, height: MONOGRAM_SIDE }, { ...layout, background });
  const readable: Color = layout.background === null ? WHITE : contrasting(background);
  const paint = color === null || color === 'brand' || color === 'currentColor' ? readable : tone(color);
  const picture = { geometry, paint, background, greyscale: false };
  return { asset: `monogram:${monogram.letters}`, read: () => monogramSvg(monogram), picture };
}
