// Pictures of entries: a slug and a request become an `ETag` and headers before anything is drawn, then the picture.
import { LRUCache } from 'lru-cache';
import type { Entry, Slug } from '../catalog/entry.js';
import { missingNames, type MissingName } from '../platform/not-found.js';
import { pictureGeometry } from './geometry.js';
import { pictureKey, pictureSpec } from './picture-spec.js';
import type { Fallback, AnswerFormat, PictureRequest } from './picture-request.js';
import { monogramOfSlug, type Monogram } from './monogram.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import type { PictureStore } from './picture-store.js';
import type { Rasterizer } from './rasterizer.js';
import type { Catalog } from '../catalog/catalog.js';
import type { AccountCatalog, ReadDrawing } from '../catalog/account-catalogs.js';
import { createCachedCodings, type Codings, type Compression } from '../platform/http/response/compression.js';
import { createPictureMemory, type PictureMemory } from './picture-memory.js';
import { composeSubject, fallbackSubject, rasterizeRequest, unread, type PictureSubject } from './picture-subject.js';
import type { PictureBody, PictureClient, PictureOutcome, RasterizeRequest } from './rasterize-request.js';
import { MEMORY_FULL, RasterizedPictures, type RasterizedPicturesOptions } from './rasterized-pictures.js';

export interface PlannedPicture {
  readonly kind: 'picture';
  /** Strong, with its quotes. */
  readonly etag: string;
  /** For a fallback, when the catalog was published in which the slug is missing. */
  readonly lastModified: Date | undefined;
  /** The URL names the current revision, so the answer may be cached for ever. */
  readonly immutable: boolean;
  /** True for an own brand, and in the place of one that may come: a change is to be seen at once. */
  readonly isOwn?: true;
  readonly fallback: Fallback | null;
  /** Given for a fallback: what is missing. */
  readonly missing?: readonly MissingName[];
  readonly filename: string;
  readonly contentType: string;
  /** Content codings of an SVG, kept beside it; undefined for other formats. */
  readonly codings?: Codings;
  readonly source: ComposeRequest | RasterizeRequest;
}

export type PicturePlan =
  | PlannedPicture
  | { readonly kind: 'moved'; readonly to: Slug }
  | { readonly kind: 'withdrawn'; readonly reason: string }
  | { readonly kind: 'missing' }
  /** `v` names another revision than the current one. */
  | { readonly kind: 'stale-version' };

export interface PicturesOptions {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly rasterizer: Rasterizer;
  readonly compression: Compression;
  /** Undefined: pictures are in memory only. */
  readonly pictureStore?: PictureStore | undefined;
  readonly onPicture?: RasterizedPicturesOptions['onPicture'];
  readonly onWait?: RasterizedPicturesOptions['onWait'];
  /** Limit of finished pictures, SVG ones included, also in content codings. */
  readonly cacheBytes: number;
  /** Limit of pictures that wait, are drawn or are being sent, all together. */
  readonly underWayBytes: number;
  /** Pictures that may wait to be drawn, in each lane. */
  readonly maxQueue: number;
  /** Changes whenever the same request would give other bytes. */
  readonly pictureVersion: string;
}

/** SVG needs no `charset`: XML without a declaration is UTF-8. */
export const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

/** Size of a cache entry beside its bytes: key, object headers. */
const CACHE_ENTRY_OVERHEAD_BYTES = 512;

/** A drawing that is in no catalog. */
interface OwnDrawing {
  /** Equal for equal text, and unlike the hash of any drawing of the catalog. */
  readonly name: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** An SVG. */
interface ComposeRequest {
  /** Equal for equal pictures. */
  readonly key: string;
  readonly compose: () => Promise<string>;
}

/** A picture of several drawings. */
export interface ComposedPicture {
  /** Equal for equal pictures of a format. */
  readonly key: string;
  readonly format: 'svg' | 'png';
  readonly width: number;
  readonly height: number;
  /** Cells that the drawings share it in. */
  readonly cells: number;
  readonly filename: string;
  readonly lastModified: Date | undefined;
  /** An own brand is in it. */
  readonly isPrivate: boolean;
  /** The whole document. Rejects with AppError. */
  readonly compose: () => Promise<string>;
}

export class Pictures {
  private readonly memory: PictureMemory;
  private readonly rasterized: RasterizedPictures;
  /** Finished pictures of all formats, by `pictureKey`. */
  private readonly cache: LRUCache<string, PictureBody>;
  /** Content codings of an SVG, by its key. */
  private readonly codingsOf: (key: string) => Codings;

  constructor(private readonly options: PicturesOptions) {
    const { cacheBytes, underWayBytes, compression } = options;
    const cache = new LRUCache<string, PictureBody>({
      maxSize: cacheBytes,
      sizeCalculation: (body) => body.length + CACHE_ENTRY_OVERHEAD_BYTES,
    });
    this.cache = cache;
    this.memory = createPictureMemory(underWayBytes);
    this.rasterized = new RasterizedPictures({ ...options, cache, memory: this.memory });
    this.codingsOf = createCachedCodings(compression, {
      get: (key) => bytesOf(cache.get(key)),
      set: (key, bytes) => cache.set(key, bytes),
    });
  }

  /**
   * Throws AppError: `invalid_request` for a variant that is not there, `unprocessable` for a color that the
   * variant does not have.
   */
  async plan(catalog: AccountCatalog, slug: Slug, request: PictureRequest): Promise<PicturePlan> {
    const lookup = await catalog.find(slug);
    switch (lookup.kind) {
      case 'entry':
        return this.planEntry(lookup.entry, catalog.drawingsOf(lookup.entry), request);
      case 'moved':
        return { kind: 'moved', to: lookup.to };
      case 'withdrawn':
        return { kind: 'withdrawn', reason: lookup.reason };
      case 'missing':
        return this.planMissing(catalog, monogramOfSlug(slug), request);
    }
  }

  /** The fallback of a slug or domain that is in no catalog. */
  planMissing({ own }: AccountCatalog, monogram: Monogram, request: PictureRequest): PicturePlan {
    if (request.fallback === null) return { kind: 'missing' };
    if (request.revision !== null) return { kind: 'stale-version' };
    const published = this.options.catalog.state();
    return {
      // Later than any entry that was there before, and earlier than one that comes.
      lastModified: published && new Date(published.publishedAt),
      ...this.planBody(fallbackSubject(monogram, request.fallback, request), request),
      immutable: false,
      ...(own && { isOwn: true }),
      fallback: request.fallback,
      missing: missingNames(monogram.kind, monogram.name),
      filename: `${monogram.name}.${request.format}`,
    };
  }

  /** A drawing of this service's own, as it is. */
  planDrawing({ name, svg, width, height }: OwnDrawing, request: PictureRequest): PlannedPicture {
    const geometry = pictureGeometry({ width, height }, request.layout);
    const picture = { geometry, paint: null, background: request.layout.background, greyscale: request.greyscale };
    return {
      lastModified: undefined,
      ...this.planBody({ drawing: name, read: () => svg, picture }, request),
      immutable: false,
      fallback: null,
      filename: `${name}.${request.format}`,
    };
  }

  /** A picture of several drawings, as it is to be drawn. */
  planComposed({ format, compose, ...picture }: ComposedPicture): PlannedPicture {
    const key = `${this.options.pictureVersion}|${format}|${picture.key}`;
    const { filename, lastModified } = picture;
    const common = {
      ...({ kind: 'picture', immutable: false, fallback: null } as const),
      ...{ filename, lastModified, etag: strongEtag(key), contentType: CONTENT_TYPES[format] },
    };
    if (format === 'svg') return { ...common, codings: this.codingsOf(key), source: { key, compose } };
    const { width, height, cells, isPrivate } = picture;
    const encoding = { format, quality: null };
    // Estimated, then drawn: composed once.
    const text = async (): Promise<string> => {
      const known = this.cache.get(`svg ${key}`);
      return typeof known === 'string' ? known : this.compose({ key: `svg ${key}`, compose });
    };
    const job = async () => ({ svg: await text(), width, height, ...encoding });
    const size = { pixels: width * height, drawingPixels: (width * height) / cells };
    return { ...common, source: { key, isPrivate, drawing: key, size, encoding, read: text, job } };
  }

  /** `busy` when there is no memory for it, or the queue is full. Rejects when its client has left, or the drawing cannot be read. */
  async render({ source }: PlannedPicture, client: PictureClient): Promise<PictureOutcome> {
    if ('job' in source) return this.rasterized.get(source, client);
    const body = this.cache.get(source.key) ?? (await client.inTime(this.compose(source)));
    return this.memory.hold(client, body) ? { ok: true, body } : MEMORY_FULL;
  }

  /** The outcome of `render`, if it is in memory; draws nothing. */
  peek({ source }: PlannedPicture): PictureOutcome | undefined {
    if ('job' in source) return this.rasterized.known(source);
    const body = this.cache.get(source.key);
    return body === undefined ? undefined : { ok: true, body };
  }

  /** Pictures that wait to be drawn. */
  waiting(): number {
    return this.rasterized.waiting();
  }

  /** Finished pictures in memory. */
  cachedBytes(): number {
    return this.cache.calculatedSize;
  }

  /** Throws as `plan`. */
  planEntry(entry: Entry, read: ReadDrawing, request: PictureRequest): PicturePlan {
    if (request.revision !== null && request.revision !== entry.revision) return { kind: 'stale-version' };
    const { variant, picture } = pictureSpec(entry, request);
    const { etag, painted } = variant;
    const subject = {
      ...unread(etag, read),
      picture,
      painted: painted === undefined ? undefined : unread(painted, read),
      isPrivate: entry.own === true,
    };
    const name = variant.name === 'default' ? entry.slug : `${entry.slug}-${variant.name}`;
    return {
      lastModified: new Date(entry.updatedAt),
      ...this.planBody(subject, request),
      immutable: request.revision !== null,
      ...(entry.own && { isOwn: true }),
      fallback: null,
      filename: `${name}.${request.format}`,
    };
  }

  private planBody(subject: PictureSubject, request: PictureRequest) {
    const { format, quality } = request;
    const { drawing } = format === 'svg' ? subject : (subject.painted ?? subject);
    // Pictures of earlier versions become the oldest on disk, and go first.
    const key = `${this.options.pictureVersion}|${pictureKey(drawing, subject.picture, request)}`;
    const common = { kind: 'picture', etag: strongEtag(key), contentType: CONTENT_TYPES[format] } as const;
    return format === 'svg'
      ? { ...common, codings: this.codingsOf(key), source: { key, compose: () => composeSubject(subject) } }
      : { ...common, source: rasterizeRequest(key, subject, { format, quality }) };
  }

  private async compose({ key, compose }: ComposeRequest): Promise<string> {
    const body = await compose();
    this.cache.set(key, body);
    return body;
  }
}

function bytesOf(body: PictureBody | undefined): Uint8Array | undefined {
  return typeof body === 'string' ? undefined : body;
}
