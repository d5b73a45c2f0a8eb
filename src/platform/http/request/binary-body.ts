// Bodies of media types other than JSON, as bytes.
import type { IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import { AppError } from '../../errors.js';
import type { UploadMemory } from './upload-memory.js';
import type { SlotLimits, UploadSlots } from './upload-slots.js';

/** Description of a binary body that a route accepts. */
export interface BinaryBody {
  readonly media: string;
  readonly maxBytes: number;
  /** Maximum number of uploads of one account that may be arriving at the same time. */
  readonly arriving: number;
  /** Limits on how many fully received uploads are processed at the same time. */
  readonly slots: SlotLimits;
  /** Message of an error with status 415: a sentence that says what to send. */
  readonly otherMedia: string;
  readonly description: string;
  readonly example?: string;
}

export interface RouteUploads {
  readonly memory: UploadMemory;
  readonly slots: UploadSlots;
}

interface Uploading extends RouteUploads {
  readonly body: BinaryBody;
  readonly owner: string;
}

/**
 * Reads the body, then runs `work`. Takes a slot only when the body is complete, because slots limit the uploads that
 * are processed, not the uploads that arrive. Throws AppError `busy`, `unsupported_media_type`, `payload_too_large`,
 * `invalid_request`, and the errors of `work`.
 */
export async function withUpload<Result>(
  context: RouterContext,
  { body, owner, memory, slots }: Uploading,
  work: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  assertReadable(context, body);
  // Checks for a free slot before the body uses memory. A client that waits for `100 Continue` then need not send its
  // body.
  slots.assertFree(owner);
  const ending = new AbortController();
  const upload = memory.open(owner, body.arriving, (reason) => ending.abort(reason));
  try {
    const bytes = await bytesOf(context.req, {
      signal: ending.signal,
      maxBytes: body.maxBytes,
      onBytes: (count) => upload.received(count),
    });
    upload.complete();
    const giveBack = slots.take(owner);
    try {
      return await work(bytes);
    } finally {
      giveBack();
    }
  } finally {
    upload.close();
  }
}

const tooLarge = ({ maxBytes }: Pick<BinaryBody, 'maxBytes'>): AppError =>
  new AppError('payload_too_large', `The body is larger than ${maxBytes / 2 ** 20} MiB.`);

function assertReadable({ request, req }: RouterContext, body: BinaryBody): void {
  if (request.type.trim().toLowerCase() !== body.media) throw new AppError('unsupported_media_type', body.otherMedia);
  if (req.headers['content-encoding'] !== undefined)
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.');
  if (Number(req.headers['content-length'] ?? 0) > body.maxBytes) throw tooLarge(body);
}

interface Reading {
  readonly maxBytes: number;
  /** When this signal aborts, the body is not read any further. The connection stays open for the response. */
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

function bytesOf(request: IncomingMessage, { maxBytes, signal, onBytes }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken).pause();
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error): void => {
      stop();
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) fail(tooLarge({ maxBytes }));
      else {
        chunks.push(chunk);
        onBytes(chunk.length);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const onBroken = (): void =>
      fail(new AppError('invalid_request', 'The body is incomplete: the connection was closed early.'));
    const onAbort = (): void => fail(signal.reason as AppError);
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    signal.addEventListener('abort', onAbort, { once: true });
    // The client has already disconnected, so no further event would arrive.
    if (request.destroyed) onBroken();
  });
}
