// Compression of bodies in the thread pool, a few at once. Callers alternate in the queue.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createFairQueue } from '../../concurrency/fair-queue.js';
import { AppError } from '../../errors.js';
import { singleFlight } from '../../concurrency/single-flight.js';

/** Supported content codings (RFC 9110, section 8.4.1), most preferred first. */
export const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

type Body = string | Uint8Array;

/** Compressed copies of a body. */
export interface Codings {
  /** Returns the compressed body if it is cached, else undefined. */
  readonly known: (coding: ContentCoding) => Uint8Array | undefined;
  /**
   * Compresses the body. Returns undefined if too many bodies are waiting. In that case, the body must be sent
   * uncompressed.
   */
  readonly encode: (coding: ContentCoding, body: Body, caller: string) => Promise<Uint8Array | undefined>;
}

export type Compression = ReturnType<typeof createCompression>;

/**
 * Maximum number of simultaneous compressions. The thread pool has four threads by default, and file access needs some
 * of them.
 */
const AT_ONCE = 2;
/**
 * Maximum number of waiting bodies, about 20 ms of work. If more are waiting, bodies are sent uncompressed, which is
 * faster than waiting.
 */
const MAX_WAITING = 64;
/**
 * Brotli quality. Compared to quality 9, compressed JSON and SVG are 5 to 10 % larger, but compression takes an eighth
 * of the time.
 */
const BROTLI_QUALITY = 5;
/**
 * Brotli window of 256 KB instead of 4 MB, because bodies are shorter and each encoder allocates a part of the window.
 */
const BROTLI_WINDOW_BITS = 18;
const GZIP_LEVEL = 6;
/** Memory of a cached body in bytes, in addition to its content. */
const TAGGED_OVERHEAD_BYTES = 512;

const brotliOf = promisify<Body, { params: Record<number, number> }, Buffer>(brotliCompress);
const gzipOf = promisify<Body, { level: number }, Buffer>(gzip);

const ENCODERS: Readonly<Record<ContentCoding, (body: Body) => Promise<Buffer>>> = {
  br: (body) =>
    brotliOf(body, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
      },
    }),
  gzip: (body) => gzipOf(body, { level: GZIP_LEVEL }),
};

export function createCompression({ atOnce = AT_ONCE, maxWaiting = MAX_WAITING } = {}) {
  const queue = createFairQueue({ atOnce, maxWaiting });
  return {
    /**
     * Compresses a body. Returns undefined if too many bodies are waiting. The encoder is created when the compression
     * starts, so a waiting body uses no memory for an encoder.
     */
    compress: (coding: ContentCoding, body: Body, caller: string): Promise<Uint8Array | undefined> =>
      queue
        .run(caller, () => ENCODERS[coding](body))
        .catch((error: unknown) => {
          if (error instanceof AppError) return undefined;
          throw error;
        }),
  };
}

/** Returns the compressed copies of a body that differs in every response. Nothing is cached. */
export function codingsPerAnswer({ compress }: Compression): Codings {
  return { known: () => undefined, encode: compress };
}

/**
 * Returns a function that maps a strong ETag to the compressed copies of the body. The copies are cached, up to
 * `maxBytes` in total.
 */
export function createTaggedCodings(compression: Compression, maxBytes: number): (etag: string) => Codings {
  const sizeCalculation = ({ length }: Uint8Array): number => length + TAGGED_OVERHEAD_BYTES;
  return createCachedCodings(compression, new LRUCache<string, Uint8Array>({ maxSize: maxBytes, sizeCalculation }));
}

interface EncodedBodies {
  readonly get: (key: string) => Uint8Array | undefined;
  readonly set: (key: string, bytes: Uint8Array) => void;
}

/**
 * Returns a function that maps a key to the compressed copies of a body that never changes. Simultaneous requests share
 * one compression, and `encoded` caches its result.
 */
export function createCachedCodings({ compress }: Compression, encoded: EncodedBodies): (key: string) => Codings {
  const underWay = new Map<string, Promise<Uint8Array | undefined>>();

  return (bodyKey) => {
    const known = (coding: ContentCoding): Uint8Array | undefined => encoded.get(`${coding} ${bodyKey}`);
    return {
      known,
      async encode(coding, body, caller) {
        const key = `${coding} ${bodyKey}`;
        return (
          known(coding) ??
          singleFlight(underWay, key, async () => {
            const bytes = await compress(coding, body, caller);
            if (bytes) encoded.set(key, bytes);
            return bytes;
          })
        );
      },
    };
  };
}
