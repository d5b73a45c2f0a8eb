// Memory of uploads: how many of one account are on their way, and how many bytes all have that are not answered yet.
import { AppError } from '../../errors.js';

/** An upload from its first byte until it is answered. */
export interface Upload {
  /** Counts bytes that have arrived. May end this upload, or another one. */
  received(bytes: number): void;
  /** Its body is complete: it is no longer ended for others. */
  complete(): void;
  /** Releases its memory. */
  close(): void;
}

interface HeldUpload {
  bytes: number;
  /** Bytes of the last seconds, weighted by their age. */
  recentBytes: number;
  /** When the last of them arrived. */
  atMs: number;
  isComplete: boolean;
  readonly end: (reason: AppError) => void;
}

/** Bytes lose two thirds of their weight in this time. */
const RECENT_MS = 2000;

export type UploadMemory = ReturnType<typeof createUploadMemory>;

/**
 * An upload takes memory by what has arrived, not by what it announces. Beyond `maxBytes`, the upload is ended of whose bytes
 * the smallest share arrived lately: clients that stall can't keep others from uploading.
 */
export function createUploadMemory({ maxBytes, now }: { readonly maxBytes: number; readonly now: () => number }) {
  const uploads = new Set<HeldUpload>();
  const countByOwner = new Map<string, number>();
  let heldBytes = 0;

  function release(upload: HeldUpload): void {
    if (uploads.delete(upload)) heldBytes -= upload.bytes;
  }

  /** False: there is none. */
  function endSlowest(): boolean {
    const atMs = now();
    let slowest: HeldUpload | undefined;
    let least = Infinity;
    for (const upload of uploads) {
      const share = recentBytesOf(upload, atMs) / upload.bytes;
      if (upload.isComplete || upload.bytes === 0 || share >= least) continue;
      [slowest, least] = [upload, share];
    }
    if (slowest === undefined) return false;
    release(slowest);
    slowest.end(new AppError('busy', 'Too many uploads are under way, and this one is the slowest.'));
    return true;
  }

  function count(owner: string, change: 1 | -1): void {
    const own = (countByOwner.get(owner) ?? 0) + change;
    if (own === 0) countByOwner.delete(owner);
    else countByOwner.set(owner, own);
  }

  return {
    /** `end` is called at most once, and not after `complete`. Throws AppError `busy` beyond `maxOfOwner` uploads at once. */
    open(owner: string, maxOfOwner: number, end: (reason: AppError) => void): Upload {
      if ((countByOwner.get(owner) ?? 0) >= maxOfOwner)
        throw new AppError('busy', `Other uploads of this account are under way: ${maxOfOwner} at once are the limit.`);
      count(owner, 1);
      const upload: HeldUpload = { bytes: 0, recentBytes: 0, atMs: now(), isComplete: false, end };
      uploads.add(upload);
      return {
        received(bytes) {
          if (!uploads.has(upload)) return;
          const atMs = now();
          upload.recentBytes = recentBytesOf(upload, atMs) + bytes;
          upload.atMs = atMs;
          upload.bytes += bytes;
          heldBytes += bytes;
          while (heldBytes > maxBytes && endSlowest());
        },
        complete() {
          upload.isComplete = true;
        },
        close() {
          release(upload);
          count(owner, -1);
        },
      };
    },
    /** Bytes of all uploads. */
    heldBytes: () => heldBytes,
  };
}

function recentBytesOf({ recentBytes, atMs: since }: HeldUpload, atMs: number): number {
  return recentBytes * Math.exp((since - atMs) / RECENT_MS);
}
