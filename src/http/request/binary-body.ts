// Bodies of other media types than JSON, as bytes.
import type { RouterContext } from '@koa/router';
import { AppError } from '../../errors.js';

/** The body that a route takes in place of fields. */
export interface BinaryBody {
  /** Media type: `image/svg+xml`. */
  readonly media: string;
  readonly maxBytes: number;
  /** Those that are in memory, from before they are read until they are answered. */
  readonly places: BodyPlaces;
  /** For 415: a sentence that says what to send. */
  readonly otherMedia: string;
  readonly description: string;
  readonly example?: string;
}

/** Bounds how many bodies of a route this process holds, and how many of them are one account's. */
export class BodyPlaces {
  private readonly takenBy = new Map<string, number>();
  private taken = 0;

  constructor(private readonly max: { readonly all: number; readonly ofOne: number }) {}

  /** The function that gives the place back. Throws AppError `busy`. */
  take(owner: string): () => void {
    const own = this.takenBy.get(owner) ?? 0;
    if (own >= this.max.ofOne) throw new AppError('busy', 'Other uploads of this account are under way.');
    if (this.taken >= this.max.all) throw new AppError('busy', 'Too many uploads are under way.');
    this.add(owner, 1);
    return () => this.add(owner, -1);
  }

  private add(owner: string, count: 1 | -1): void {
    this.taken += count;
    const own = (this.takenBy.get(owner) ?? 0) + count;
    if (own === 0) this.takenBy.delete(owner);
    else this.takenBy.set(owner, own);
  }
}

/** Throws AppError `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
export async function readBinary(
  { request, req }: RouterContext,
  { media, maxBytes, otherMedia }: BinaryBody,
): Promise<Buffer> {
  if (request.type.trim().toLowerCase() !== media) throw new AppError('unsupported_media_type', otherMedia);
  if (req.headers['content-encoding'] !== undefined)
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.');
  const tooLarge = () => new AppError('payload_too_large', `The body is larger than ${maxBytes / 2 ** 20} MiB.`);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_request', 'The body ended early.');
  }
  return Buffer.concat(chunks);
}
