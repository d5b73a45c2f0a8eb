// Pictures of entries, made in two steps. `plan` determines the `ETag` and headers without drawing anything. `render`
// draws the picture.
import { LRUCache } from 'lru-cache';
import type { Entry, Slug } from '../catalog/entry.js';
import { missingNames, type MissingName } from '../platform/not-found.js';
import { pictureGeometry } from './geometry.js';
import { pictureKey, pictureSpec } from './picture-spec.js';
import type { AnswerFormat, PictureLayout, PictureRequest, ShownFallback } from './picture-request.js';
import type { SiteIcon } from './site-icons.js';
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
  /** Strong `ETag`, with its quotes. */
  readonly etag: string;
  /** Time of the last change. For a fallback: time of the last publication of the catalog. */
  readonly lastModified: Date | undefined;
  /** True if the URL contains the current revision. The answer may then be cached forever. */
  readonly immutable: boolean;
  /**
   * True for a brand that the account itself has uploaded, and for a fallback that a later upload could replace.
   * Clients must revalidate these pictures before each use.
   */
  readonly isOwn?: true;
  readonly fallback: ShownFallback | null;
  /** Names to count as missing, if the picture is a fallback. */
  readonly missing?: readonly MissingName[];
  readonly filename: string;
  readonly contentType: string;
  /** Compressed bodies of an SVG, which are cached beside the SVG. Undefined for other formats. */
  readonly codings?: Codings;
  readonly source: ComposeRequest | RasterizeRequest;
}

export type PicturePlan =
  | PlannedPicture
  | { readonly kind: 'moved'; readonly to: Slug }
  | { readonly kind: 'withdrawn'; readonly reason: string }
  | { readonly kind: 'missing' }
  /** The request has a revision (`v`) that is not the current one. */
  | { readonly kind: 'stale-version' };

export interface PicturesOptions {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly rasterizer: Rasterizer;
  readonly compression: Compression;
  /** Store on disk. Undefined if pictures are kept only in memory. */
  readonly pictureStore?: PictureStore | undefined;
  readonly onPicture?: RasterizedPicturesOptions['onPicture'];
  readonly onWait?: RasterizedPicturesOptions['onWait'];
  /** Maximum size of all finished pictures in memory, including compressed bodies of SVG, bytes. */
  readonly cacheBytes: number;
  /** Maximum total size of the pictures that are waiting, being drawn or being sent, bytes. */
  readonly underWayBytes: number;
  /** Maximum number of waiting pictures in each of the queue's two lanes: one for cheap and one for costly pictures. */
  readonly maxQueue: number;
  /** Version of all pictures. Must change in every release in which a request returns other bytes than before. */
  readonly pictureVersion: string;
}

/** Media types. SVG needs no `charset`, because XML without a declaration is UTF-8. */
export const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

/** Estimated memory of a cache entry besides its body, for the key and objects. */
const CACHE_ENTRY_OVERHEAD_BYTES = 512;

/** Drawing that belongs to this service, not to a catalog. */
interface OwnDrawing {
  /**
   * Id of the drawing. Drawings with equal text have equal ids. The id must differ from all content hashes of the
   * catalog.
   */
  readonly name: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

interface ComposeRequest {
  /** Cache key. Equal pictures have equal keys. */
  readonly key: string;
  readonly compose: () => Promise<string>;
}

/** A picture that shows several drawings. */
export interface ComposedPicture {
  /** Cache key without the format. Equal pictures have equal keys. */
  readonly key: string;
  readonly format: 'svg' | 'png';
  readonly width: number;
  readonly height: number;
  /** Number of drawings in the picture, from which the processor time is estimated. */
  readonly cells: number;
  readonly filename: string;
  readonly lastModified: Date | undefined;
  /** True if the picture contains an own brand. */
  readonly isPrivate: boolean;
  /** Composes the whole document. Rejects with AppError. */
  readonly compose: () => Promise<string>;
}

export class Pictures {
  private readonly memory: PictureMemory;
  private readonly rasterized: RasterizedPictures;
  /** Finished pictures of all formats: `pictureKey` → body. */
  private readonly cache: LRUCache<string, PictureBody>;
  /** Returns the compressed forms of the SVG with this key. */
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
   * Plans the picture of a slug. Throws AppError `invalid_request` for an unknown variant, and `unprocessable` for a
   * color that the variant can't have.
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

  /** Plans the fallback for a slug or domain that the catalog does not contain. */
  planMissing({ own }: AccountCatalog, monogram: Monogram, request: PictureRequest): PicturePlan {
    if (request.fallback === null) return { kind: 'missing' };
    if (request.revision !== null) return { kind: 'stale-version' };
    const published = this.options.catalog.state();
    return {
      // Date of the last publication, because each publication may add or remove the slug or domain.
      lastModified: published && new Date(published.publishedAt),
      ...this.planBody(fallbackSubject(monogram, request.fallback, request), request),
      immutable: false,
      ...(own && { isOwn: true }),
      fallback: request.fallback,
      missing: missingNames(monogram.kind, monogram.name),
      filename: `${monogram.name}.${request.format}`,
    };
  }

  /** Plans a picture of a drawing that belongs to this service, in the drawing's own colors. */
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

  /**
   * Plans the icon of a website. Returns undefined if the icon has less than half of the requested side. Parameters
   * that the icon can't satisfy are ignored and not rejected, because clients can't know the variants of the icon.
   */
  planSiteIcon({ own }: AccountCatalog, icon: SiteIcon, request: PictureRequest): PlannedPicture | undefined {
    const { host, variants, px, foundAt } = icon;
    const side = requestedSide(request.layout);
    if (px !== null && px * 2 < side) return undefined;
    const entry = { slug: host, hex: null, variants };
    const { variant, picture } = pictureSpec(entry, { ...request, variant: null, preferred: [] });
    // If the request states no size, the page that shows the picture chooses the size. The largest bitmap is then used.
    const read: ReadDrawing = (etag) => icon.read(etag, side === 0 ? Infinity : side);
    const { etag, painted } = variant;
    const subject = {
      ...unread(etag, read),
      picture,
      painted: painted === undefined ? undefined : unread(painted, read),
    };
    return {
      lastModified: foundAt,
      ...this.planBody(subject, request),
      immutable: false,
      ...(own && { isOwn: true }),
      fallback: 'site',
      filename: `${host}.${request.format}`,
    };
  }

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
    // The SVG document is cached, because it is needed twice: for the estimate and for drawing.
    const text = async (): Promise<string> => {
      const known = this.cache.get(`svg ${key}`);
      return typeof known === 'string' ? known : this.compose({ key: `svg ${key}`, compose });
    };
    const job = async () => ({ svg: await text(), width, height, ...encoding });
    const size = { pixels: width * height, drawingPixels: (width * height) / cells };
    return { ...common, source: { key, isPrivate, drawing: key, size, encoding, read: text, job } };
  }

  /**
   * Makes the picture. Resolves with `busy` if memory or the queue is full. Rejects if the client has disconnected, or
   * if the drawing cannot be read.
   */
  async render({ source }: PlannedPicture, client: PictureClient): Promise<PictureOutcome> {
    if ('job' in source) return this.rasterized.get(source, client);
    const body = this.cache.get(source.key) ?? (await client.inTime(this.compose(source)));
    return this.memory.hold(client, body) ? { ok: true, body } : MEMORY_FULL;
  }

  /** Returns the outcome of `render` if it is cached in memory. Draws nothing. */
  peek({ source }: PlannedPicture): PictureOutcome | undefined {
    if ('job' in source) return this.rasterized.known(source);
    const body = this.cache.get(source.key);
    return body === undefined ? undefined : { ok: true, body };
  }

  waiting(): number {
    return this.rasterized.waiting();
  }

  cachedBytes(): number {
    return this.cache.calculatedSize;
  }

  /** Plans the picture of an entry. Throws the errors of `plan`. */
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
    // The key contains the version of all pictures. After the version has changed, old pictures on disk are no longer
    // read, and are therefore the first to be removed.
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

/** Returns the longer requested side of the picture in px. Returns 0 if the request states no size. */
function requestedSide({ width, height, scale }: PictureLayout): number {
  return Math.max(width ?? 0, height ?? 0) * scale;
}

function bytesOf(body: PictureBody | undefined): Uint8Array | undefined {
  return typeof body === 'string' ? undefined : body;
}
