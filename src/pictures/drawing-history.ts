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

/** A picture that the rasterizer rejects is not tried again at once. */
const REJECTION_KEPT_MS = 10_000;
/** One that cost its whole time limit, or a process, is not for much longer. */
const LOSS_KEPT_MS = 10 * 60_000;
const FAILURES_KEPT = 1000;
const DRAWINGS_KEPT = 20_000;

/** Crashes of one drawing within `LOSS_KEPT_MS`. One alone proves nothing: a process may end for other reasons. */
interface Crashes {
  readonly count: number;
  /**
   * Pixels of the smallest whole picture, padding included. Counted whole, because padding then neither hides a crash nor
   * lowers the limit: a picture that is mostly padding rejects no smaller one in which the drawing is as large.
   */
  readonly pixels: number;
}

const CRASHES_TOLERATED = 1;
const TOO_SLOW = 'Drawing this picture takes too long at this size. Request a smaller one.';
const CRASHING = 'Drawing this picture failed more than once at this size. Request a smaller one.';

/** The cost says something about the drawing: with much padding it does not. */
function isMostlyDrawing({ pixels, drawingPixels }: PictureSize): boolean {
  return drawingPixels >= pixels / 2;
}

export function createDrawingHistory() {
  /** By picture. */
  const failures = new LRUCache<string, FailedPicture>({ max: FAILURES_KEPT });
  // The others are by drawing. `tooLarge`: the pixels from which a drawing is known to exceed its time limit.
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
    /** The failure that this picture repeats; undefined when it is worth drawing. */
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

    /** Processor time that a picture is expected to take. */
    async estimateMs({ drawing, read, size, encoding }: RasterizeRequest): Promise<number> {
      const measured = measurements.get(drawing);
      return measured ? measuredCostMs(size, encoding, measured) : guessedCostMs(size, encoding, await read());
    },
  };
}
