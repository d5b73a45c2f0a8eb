// Past pictures of each drawing: failures, their sizes, and costs.
import { LRUCache } from 'lru-cache';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import {
  guessedCostMs,
  measuredCostMs,
  measurementOf,
  type CostMeasurement,
  type PictureSize,
} from './picture-cost.js';
import type { RasterizeOutcome } from './rasterizer.js';
import type { FailedPicture, RasterizeRequest } from './rasterize-request.js';

/** Time for which a rejected picture is not tried again, ms. */
const REJECTION_KEPT_MS = 10_000;
/** Time for which a picture is not tried again after it used up its time limit or crashed its process, ms. */
const LOSS_KEPT_MS = 10 * 60_000;
const FAILURES_KEPT = 1000;
const DRAWINGS_KEPT = 20_000;

/** Crashes of one drawing within `LOSS_KEPT_MS`. A single crash proves nothing, because a process may end for other reasons. */
interface Crashes {
  readonly count: number;
  /**
   * Pixels of the smallest whole picture that crashed, padding included. Padding must be counted: otherwise it would hide a
   * crash, or lower the limit. A picture with much padding then rejects no smaller picture in which the drawing is equally large.
   */
  readonly pixels: number;
}

const CRASHES_TOLERATED = 1;
const TOO_SLOW = 'Drawing this picture takes too long at this size. Request a smaller one.';
const CRASHING = 'Drawing this picture failed more than once at this size. Request a smaller one.';

/** Returns true if the cost says something about the drawing. With much padding it does not. */
function isMostlyDrawing({ pixels, drawingPixels }: PictureSize): boolean {
  return drawingPixels >= pixels / 2;
}

export function createDrawingHistory() {
  /** Failures by picture. */
  const failures = new LRUCache<string, FailedPicture>({ max: FAILURES_KEPT });
  // The other maps are by drawing. `tooLarge` has the pixels from which a drawing is known to exceed its time limit.
  const tooLarge = new LRUCache<string, number>({ max: FAILURES_KEPT, ttl: LOSS_KEPT_MS });
  const crashes = new LRUCache<string, Crashes>({ max: FAILURES_KEPT, ttl: LOSS_KEPT_MS });
  const measurements = lruCache<string, CostMeasurement>(DRAWINGS_KEPT);

  function rejectionOf(drawing: string, { pixels, drawingPixels }: PictureSize): string | undefined {
    if (drawingPixels >= (tooLarge.get(drawing) ?? Infinity)) return TOO_SLOW;
    const crashed = crashes.get(drawing);
    return crashed && crashed.count > CRASHES_TOLERATED && pixels >= crashed.pixels ? CRASHING : undefined;
  }

  function recordCrash(drawing: string, { pixels }: PictureSize): void {
    const before = crashes.get(drawing) ?? { count: 0, pixels: Infinity };
    crashes.set(drawing, { count: before.count + 1, pixels: Math.min(pixels, before.pixels) });
  }

  return {
    /** Returns the failure that this picture would repeat. Undefined when the picture is worth drawing. */
    failureOf({ key, drawing, size }: Pick<RasterizeRequest, 'key' | 'drawing' | 'size'>): FailedPicture | undefined {
      const message = rejectionOf(drawing, size);
      return message === undefined ? failures.get(key) : { ok: false, code: 'unprocessable', message, counts: false };
    },

    record({ key, drawing, size, encoding }: RasterizeRequest, outcome: RasterizeOutcome): void {
      if (outcome.ok) {
        if (isMostlyDrawing(size)) measurements.set(drawing, measurementOf(size, encoding, outcome.cpuMs));
      } else if (outcome.failure === 'timeout' && isMostlyDrawing(size)) {
        tooLarge.set(drawing, Math.min(size.drawingPixels, tooLarge.get(drawing) ?? Infinity));
      } else if (outcome.failure !== 'busy') {
        if (outcome.failure === 'crash') recordCrash(drawing, size);
        const ttl = outcome.failure === 'rejected' ? REJECTION_KEPT_MS : LOSS_KEPT_MS;
        failures.set(key, { ok: false, code: 'unprocessable', message: outcome.message, counts: false }, { ttl });
      }
    },

    /** Returns the expected processor time of a picture, ms. */
    async estimateMs({ drawing, read, size, encoding }: RasterizeRequest): Promise<number> {
      const measured = measurements.get(drawing);
      return measured ? measuredCostMs(size, encoding, measured) : guessedCostMs(size, encoding, await read());
    },
  };
}
