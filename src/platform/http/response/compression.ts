// Compression of bodies, off the event loop, a few at once. Callers take turns.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createFairQueue } from '../../concurrency/fair-queue.js';
import { AppError } from '../../errors.js';
import { singleFlight } from '../../concurrency/single-flight.js';

/** Content codings (RFC 9110, section 8.4.1), the preferred one first. */
export const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

type Body = string | Uint8Array;

/** A body's other content codings. */
export interface Codings {
  /** Returns the encoded body, or undefined if it has not been made yet. */
  readonly known: (coding: ContentCoding) => Uint8Array | undefined;
  /** Encodes the body. Returns undefined if too many bodies wait; the body is then sent without a coding. */
  readonly encode: (coding: ContentCoding, body: Body, caller: string) => Promise<Uint8Array | undefined>;
}

export type Compression = ReturnType<typeof createCompression>;

/** The thread pool has four threads by default, and file access needs some of them. */
const AT_ONCE = 2;
/** About 20 ms of work. Beyond it, clients get more bytes instead of a longer wait. */
const MAX_WAITING = 64;
/** JSON and SVG are 5 to 10 % larger than with quality 9, in an eighth of its time. */
const BROTLI_QUALITY = 5;
/** 256 KB instead of 4 MB: bodies are shorter, and each encoder allocates a part of the window. */
const BROTLI_WINDOW_BITS = 18;
const GZIP_LEVEL = 6;
/** Bytes of an encoded body in addition to its content: key, object headers. */
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
     * Compresses a body. Returns undefined if too many bodies wait. A waiting body needs no memory except its own,
     * because its encoder is allocated at the start.
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

/** Returns codings for bodies that differ in every response. */
export function codingsPerAnswer({ compress }: Compression): Codings {
  return { known: () => undefined, encode: compress };
}

/** Returns codings by strong tag. The most recently used encoded bodies are kept. */
export function createTaggedCodings(compression: Compression, maxBytes: number): (etag: string) => Codings {
  const sizeCalculation = ({ length }: Uint8Array): number => length + TAGGED_OVERHEAD_BYTES;
  return createCachedCodings(compression, new LRUCache<string, Uint8Array>({ maxSize: maxBytes, sizeCalculation }));
}

/** Encoded bodies by key. */
interface EncodedBodies {
  readonly get: (key: string) => Uint8Array | undefined;
  readonly set: (key: string, bytes: Uint8Array) => void;
}

/**
 * Returns codings for bodies that stay the same; the key names the body. Concurrent requests share one encoding, and
 * the result is reused while it is kept.
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
