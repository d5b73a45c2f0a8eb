// Memory for uploads: limits the number of arriving uploads per account, and the total bytes of unfinished uploads.
import { AppError } from '../../errors.js';

/** Upload in progress, from its first byte to its response. */
export interface Upload {
  /** Counts received bytes. If too much memory is used, ends this upload or another one. */
  received(bytes: number): void;
  /** Marks the body as complete. A complete upload is not ended if too much memory is used. */
  complete(): void;
  close(): void;
}

interface HeldUpload {
  bytes: number;
  /** Bytes received in the last seconds. Older bytes have less weight. */
  recentBytes: number;
  /** Time in ms of the last change of `recentBytes`. */
  atMs: number;
  isComplete: boolean;
  readonly end: (reason: AppError) => void;
}

/** Time in ms after which a received byte counts as 1/e (about a third) of a byte in `recentBytes`. */
const RECENT_MS = 2000;

export type UploadMemory = ReturnType<typeof createUploadMemory>;

/**
 * Creates the memory limits of uploads. Only received bytes count, not the announced length. If all uploads together
 * exceed `maxBytes`, the slowest upload is ended: the one with the smallest share of recently received bytes. Stalled
 * clients therefore cannot prevent other clients from uploading.
 */
export function createUploadMemory({ maxBytes, now }: { readonly maxBytes: number; readonly now: () => number }) {
  const uploads = new Set<HeldUpload>();
  const countByOwner = new Map<string, number>();
  let heldBytes = 0;

  function release(upload: HeldUpload): void {
    if (uploads.delete(upload)) heldBytes -= upload.bytes;
  }

  /** Ends the slowest upload. Returns false if no upload can be ended. */
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
    slowest.end(new AppError('busy', 'Too many uploads are running. The slowest upload was aborted.'));
    return true;
  }

  function count(owner: string, change: 1 | -1): void {
    const own = (countByOwner.get(owner) ?? 0) + change;
    if (own === 0) countByOwner.delete(owner);
    else countByOwner.set(owner, own);
  }

  return {
    /**
     * Opens an upload. Throws AppError `busy` if `owner` already has `maxOfOwner` uploads. `end` is called at most
     * once, and never after `complete`.
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
    /** Returns the number of bytes that all current uploads hold in memory. */
    heldBytes: () => heldBytes,
  };
}

function recentBytesOf({ recentBytes, atMs: since }: HeldUpload, atMs: number): number {
  return recentBytes * Math.exp((since - atMs) / RECENT_MS);
}
