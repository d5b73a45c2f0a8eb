// From a slug and a request to a picture: what it is called is known before anything is drawn.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Entry, Lookup, Slug } from '../../domain/catalog/entry.js';
import { WHITE, contrasting, type Color } from '../../domain/color.js';
import { composeSvg } from '../../domain/image/compose-svg.js';
import { imageGeometry } from '../../domain/image/geometry.js';
import { pictureKey, pictureOf, type Picture } from '../../domain/image/render-spec.js';
import type { Fallback, ImageFormat, ImageRequest } from '../../domain/image/request.js';
import { MONOGRAM_SIDE, monogramBackground, monogramSvg } from '../../domain/image/monogram.js';
import type { Rasterizer } from '../../ports/rasterizer.js';
import { createRenders, type ImageBody, type RenderClient, type RenderOutcome, type RenderRequest } from './renders.js';

/** What this service needs of the catalog. */
interface ImageCatalog {
  find(slug: Slug): Promise<Lookup>;
  /** The sanitised SVG by a variant's `etag`. */
  asset(etag: string): Promise<string>;
}

export interface PlannedImage {
  readonly kind: 'image';
  /** Strong, with its quotes. */
  readonly etag: string;
  /** A fallback has none: it is no document that anybody changed. */
  readonly lastModified: Date | undefined;
  /** The address names the current revision: it may be kept for ever. */
  readonly immutable: boolean;
  readonly fallback: Fallback | null;
  readonly filename: string;
  readonly contentType: string;
  produce(client: RenderClient): Promise<RenderOutcome>;
  /** What `produce` would give, if it is in memory; draws nothing. */
  peek(): RenderOutcome | undefined;
}

export type ImagePlan =
  | PlannedImage
  | { readonly kind: 'moved'; readonly to: Slug }
  | { readonly kind: 'withdrawn'; readonly reason: string }
  | { readonly kind: 'missing' }
  /** `v` names another revision than the current one. */
  | { readonly kind: 'stale-version' };

export interface Images {
  /**
   * Throws AppError: `invalid_request` for a variant that is not there, `unprocessable` for a color that cannot be
   * had.
   */
  plan(slug: Slug, request: ImageRequest): Promise<ImagePlan>;
}

interface ImagesOptions {
  readonly catalog: ImageCatalog;
  readonly rasterizer: Rasterizer;
  /** Of pictures, SVG ones included. */
  readonly cacheBytes: number;
  /** Pictures that may wait to be drawn, in each lane. */
  readonly maxQueue: number;
  /** Changes when the same request would give other bytes than before. */
  readonly rendererVersion: string;
}

/** SVG needs no `charset`: XML without a declaration is UTF-8. */
export const CONTENT_TYPES: Readonly<Record<ImageFormat, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
};

/** What the cache holds beside the bytes: key, object headers. */
const CACHE_ENTRY_OVERHEAD_BYTES = 512;

type RasterFormat = Exclude<ImageFormat, 'svg'>;

/** A drawing, found but not yet read, and how to place it. */
interface Subject {
  /** Names the drawing: equal for equal text. */
  readonly asset: string;
  readonly read: () => Promise<string> | string;
  readonly picture: Picture;
}

export function createImages({ catalog, rasterizer, cacheBytes, maxQueue, rendererVersion }: ImagesOptions): Images {
  const cache = new LRUCache<string, ImageBody>({
    maxSize: cacheBytes,
    sizeCalculation: (body) => body.length + CACHE_ENTRY_OVERHEAD_BYTES,
  });
  const renders = createRenders({ rasterizer, cache, maxQueue });

  function cached(key: string): RenderOutcome | undefined {
    const body = cache.get(key);
    return body === undefined ? undefined : { ok: true, body };
  }

  async function compose(key: string, { read, picture }: Subject): Promise<RenderOutcome> {
    const body = composeSvg(await read(), picture);
    cache.set(key, body);
    return { ok: true, body };
  }

  function renderRequest(
    key: string,
    { asset, read, picture }: Subject,
    { quality }: ImageRequest,
    format: RasterFormat,
  ): RenderRequest {
    const { box, content } = picture.geometry;
    return {
      key,
      asset,
      size: { pixels: box.width * box.height, drawingPixels: Math.max(1, content.width * content.height) },
      encoding: { format, quality },
      read,
      job: async () => ({ svg: composeSvg(await read(), picture), ...box, format, quality }),
    };
  }

  function planned(
    subject: Subject,
    request: ImageRequest,
  ): Pick<PlannedImage, 'kind' | 'etag' | 'contentType' | 'produce' | 'peek'> {
    const { format } = request;
    const key = pictureKey(subject.asset, subject.picture, request);
    const common = {
      kind: 'image',
      etag: `"${hash('sha256', `${rendererVersion}|${key}`).slice(0, 32)}"`,
      contentType: CONTENT_TYPES[format],
    } as const;
    if (format === 'svg') {
      return { ...common, produce: async () => cached(key) ?? compose(key, subject), peek: () => cached(key) };
    }
    const wanted = renderRequest(key, subject, request, format);
    return { ...common, produce: (client) => renders.render(wanted, client), peek: () => renders.known(wanted) };
  }

  function planEntry(entry: Entry, request: ImageRequest): ImagePlan {
    if (request.revision !== null && request.revision !== entry.revision) return { kind: 'stale-version' };
    const { variant, picture } = pictureOf(entry, request);
    const name = variant.name === 'default' ? entry.slug : `${entry.slug}-${variant.name}`;
    return {
      ...planned({ asset: variant.etag, read: () => catalog.asset(variant.etag), picture }, request),
      lastModified: new Date(entry.updatedAt),
      immutable: request.revision !== null,
      fallback: null,
      filename: `${name}.${request.format}`,
    };
  }

  function planMissing(slug: Slug, request: ImageRequest): ImagePlan {
    if (request.fallback === null) return { kind: 'missing' };
    if (request.revision !== null) return { kind: 'stale-version' };
    return {
      ...planned(fallbackSubject(slug, request.fallback, request), request),
      lastModified: undefined,
      immutable: false,
      fallback: request.fallback,
      filename: `${slug}.${request.format}`,
    };
  }

  function planFound(slug: Slug, lookup: Lookup, request: ImageRequest): ImagePlan {
    switch (lookup.kind) {
      case 'entry':
        return planEntry(lookup.entry, request);
      case 'moved':
        return { kind: 'moved', to: lookup.to };
      case 'withdrawn':
        return { kind: 'withdrawn', reason: lookup.reason };
      case 'missing':
        return planMissing(slug, request);
    }
  }

  return {
    plan: async (slug, request) => planFound(slug, await catalog.find(slug), request),
  };
}

/** An unknown slug has no variants and no brand color, so those parameters have nothing to choose from. */
function fallbackSubject(slug: Slug, fallback: Fallback, { layout, color }: ImageRequest): Subject {
  if (fallback === 'transparent') {
    const asset = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>';
    const picture = {
      geometry: imageGeometry({ width: 1, height: 1 }, layout),
      paint: null,
      background: layout.background,
    };
    return { asset: 'transparent', read: () => asset, picture };
  }
  const background = layout.background ?? monogramBackground(slug);
  const geometry = imageGeometry({ width: MONOGRAM_SIDE, height: MONOGRAM_SIDE }, { ...layout, background });
  const readable: Color = layout.background === null ? WHITE : contrasting(background);
  const paint = color === null || color === 'brand' ? readable : color;
  return { asset: `monogram:${slug}`, read: () => monogramSvg(slug), picture: { geometry, paint, background } };
}
