// History of drawings: which pictures of a drawing failed and at which sizes, and how long rasterizing takes.
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
/** Time for which a picture is not tried again if it exceeded its time limit or crashed its process, ms. */
const LOSS_KEPT_MS = 10 * 60_000;
const FAILURES_KEPT = 1000;
const DRAWINGS_KEPT = 20_000;

/**
 * Crashes of one drawing within LOSS_KEPT_MS. A single crash does not cause a rejection, because a process may end for
 * other reasons.
 */
interface Crashes {
  readonly count: number;
  /**
   * Number of pixels of the smallest picture that crashed, including its padding. Pictures of the drawing with at least
   * this many pixels are rejected. If padding did not count, a crash of a large picture with much padding would set a
   * limit that is too low.
   */
  readonly pixels: number;
}

const CRASHES_TOLERATED = 1;
const TOO_SLOW = 'Drawing this picture takes too long at this size. Request a smaller one.';
const CRASHING = 'Drawing this picture failed more than once at this size. Request a smaller one.';

/**
 * Returns true if the drawing covers at least half of the picture. Otherwise the time for the picture says little about
 * the drawing.
 */
function isMostlyDrawing({ pixels, drawingPixels }: PictureSize): boolean {
  return drawingPixels >= pixels / 2;
}

export function createDrawingHistory() {
  /** Key of a picture → its failure. */
  const failures = new LRUCache<string, FailedPicture>({ max: FAILURES_KEPT });
  // Drawing → smallest number of pixels at which the drawing has exceeded its time limit.
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
    /** Returns the expected failure of this picture, or undefined if the picture should be drawn. */
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
