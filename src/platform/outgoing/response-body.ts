// Bodies of responses from untrusted servers: decompressed, and limited in size before and after decompression.
import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface BodyLimits {
  /** Maximum size in bytes after decompression. */
  readonly maxBytes: number;
  /** Handling of a body above `maxBytes`. `cut`: the rest is dropped. `reject`: the request fails. */
  readonly excess: 'cut' | 'reject';
  /** Called with each chunk after decompression. Returns true if the rest is not needed. */
  readonly isEnough?: ((chunk: Uint8Array) => boolean) | undefined;
}

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

export class UnknownCoding extends Error {
  override readonly name = 'UnknownCoding';
}

export const ACCEPTED_CODINGS = 'gzip, deflate, br';

// With these flags, a truncated body is decompressed as far as possible, as in browsers.
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  deflate: () => createInflate(ZLIB),
  br: () => createBrotliDecompress(BROTLI),
} as const;

/** Reads the body. Rejects with BodyTooLarge, UnknownCoding, or the error of the connection or the decompression. */
export async function readBody(body: Readable, coding: string, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, excess, isEnough } = limits;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of decoded(body, coding, limits)) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > maxBytes && excess === 'reject') throw new BodyTooLarge('the body is too large');
    chunks.push(bytes);
    if (length >= maxBytes && excess === 'cut') break;
    if (isEnough?.(bytes) === true) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function decoded(body: Readable, coding: string, limits: BodyLimits): Readable {
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name as keyof typeof DECODERS]() : undefined;
  if (!decoder) {
    body.destroy();
    throw new UnknownCoding('the content coding is unknown');
  }
  // Errors are thrown to the code that reads from the decoder. If that code stops early, the connection is closed.
  return pipeline(bounded(body, limits), decoder, () => undefined);
}

/**
 * Yields the compressed data and limits its size. A limit on the decompressed size does not suffice, because endless
 * compressed data can decompress to nothing.
 */
async function* bounded(body: Readable, { maxBytes, excess }: BodyLimits): AsyncGenerator<Uint8Array> {
  let rest = maxBytes;
  for await (const chunk of body) {
    const bytes = chunk as Uint8Array;
    if (bytes.length > rest && excess === 'reject') throw new BodyTooLarge('the compressed body is too large');
    yield bytes.subarray(0, rest);
    rest -= bytes.length;
    if (rest <= 0 && excess === 'cut') return;
  }
}
