// Memory of uploads: limits the incoming uploads per account, and the bytes of all unfinished uploads.
import { AppError } from '../../errors.js';

/** An upload, from its first byte to its response. */
export interface Upload {
  /** Counts received bytes. May end this upload, or another one. */
  received(bytes: number): void;
  /** Marks the body as complete. A complete upload is no longer ended in favor of others. */
  complete(): void;
  /** Releases its memory. */
  close(): void;
}

interface HeldUpload {
  bytes: number;
  /** Bytes of the last seconds, weighted by their age. */
  recentBytes: number;
  /** Time in ms at which the last of them arrived. */
  atMs: number;
  isComplete: boolean;
  readonly end: (reason: AppError) => void;
}

/** Time in ms in which bytes lose two thirds of their weight. */
const RECENT_MS = 2000;

export type UploadMemory = ReturnType<typeof createUploadMemory>;

/**
 * Creates the limits. An upload counts with its received bytes, not with the announced ones. Beyond `maxBytes`, the
 * upload with the smallest share of recent bytes is ended, so stalled clients can't keep others from uploading.
 */
export function createUploadMemory({ maxBytes, now }: { readonly maxBytes: number; readonly now: () => number }) {
  const uploads = new Set<HeldUpload>();
  const countByOwner = new Map<string, number>();
  let heldBytes = 0;

  function release(upload: HeldUpload): void {
    if (uploads.delete(upload)) heldBytes -= upload.bytes;
  }

  /** Ends the slowest upload. Returns false if there is none. */
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
    slowest.end(new AppError('busy', 'Too many uploads are running. The slowest one was aborted.'));
    return true;
  }

  function count(owner: string, change: 1 | -1): void {
    const own = (countByOwner.get(owner) ?? 0) + change;
    if (own === 0) countByOwner.delete(owner);
    else countByOwner.set(owner, own);
  }

  return {
    /**
     * Opens an upload. `end` is called at most once, and never after `complete`. Throws AppError `busy` beyond
     * `maxOfOwner` simultaneous uploads.
     */
    open(owner: string, maxOfOwner: number, end: (reason: AppError) => void): Upload {
      if ((countByOwner.get(owner) ?? 0) >= maxOfOwner)
        throw new AppError('busy', `This account may run ${maxOfOwner} uploads at once.`);
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
    /** Returns the bytes of all uploads. */
    heldBytes: () => heldBytes,
  };
}

function recentBytesOf({ recentBytes, atMs: since }: HeldUpload, atMs: number): number {
  return recentBytes * Math.exp((since - atMs) / RECENT_MS);
}
