// Past renders of each drawing: what failed and at which size, and what it cost.
import { LRUCache } from 'lru-cache';
import { recentEntries } from '../../domain/collections/recent-entries.js';
import {
  guessedRenderMs,
  measuredRenderMs,
  measurementOf,
  type RenderMeasurement,
  type RenderSize,
} from '../../domain/image/render-cost.js';
import type { RasterOutcome } from '../../ports/rasterizer.js';
import type { FailedRender, RenderRequest } from './render-request.js';

/** A picture that the renderer rejects is not tried again at once. */
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

export type DrawingHistory = ReturnType<typeof createDrawingHistory>;

/** Whether its cost says something about the drawing: with much padding it does not. */
function isMostlyDrawing({ pixels, drawingPixels }: RenderSize): boolean {
  return drawingPixels >= pixels / 2;
}

export function createDrawingHistory() {
  /** By picture. */
  const failures = new LRUCache<string, FailedRender>({ max: FAILURES_KEPT });
  // The others are by asset. `tooLarge`: the pixels from which a drawing is known to exceed its time limit.
  const tooLarge = new LRUCache<string, number>({ max: FAILURES_KEPT, ttl: LOSS_KEPT_MS });
  const crashes = new LRUCache<string, Crashes>({ max: FAILURES_KEPT, ttl: LOSS_KEPT_MS });
  const measurements = recentEntries<string, RenderMeasurement>(DRAWINGS_KEPT);

  function rejectionOf(asset: string, { pixels, drawingPixels }: RenderSize): string | undefined {
    if (drawingPixels >= (tooLarge.get(asset) ?? Infinity)) return TOO_SLOW;
    const crashed = crashes.get(asset);
    return crashed && crashed.count > CRASHES_TOLERATED && pixels >= crashed.pixels ? CRASHING : undefined;
  }

  function recordCrash(asset: string, { pixels }: RenderSize): void {
    const before = crashes.get(asset) ?? { count: 0, pixels: Infinity };
    crashes.set(asset, { count: before.count + 1, pixels: Math.min(pixels, before.pixels) });
  }

  return {
    /** The failure that this picture repeats; undefined when it is worth rendering. */
    failureOf({ key, asset, size }: Pick<RenderRequest, 'key' | 'asset' | 'size'>): FailedRender | undefined {
      const message = rejectionOf(asset, size);
      return message === undefined ? failures.get(key) : { ok: false, code: 'unprocessable', message, counts: false };
    },

    record({ key, asset, size, encoding }: RenderRequest, outcome: RasterOutcome): void {
      if (outcome.ok) {
        if (isMostlyDrawing(size)) measurements.set(asset, measurementOf(size, encoding, outcome.cpuMs));
      } else if (outcome.failure === 'timeout' && isMostlyDrawing(size)) {
        tooLarge.set(asset, Math.min(size.drawingPixels, tooLarge.get(asset) ?? Infinity));
      } else if (outcome.failure !== 'busy') {
        if (outcome.failure === 'crash') recordCrash(asset, size);
        const ttl = outcome.failure === 'rejected' ? REJECTION_KEPT_MS : LOSS_KEPT_MS;
        failures.set(key, { ok: false, code: 'unprocessable', message: outcome.message, counts: false }, { ttl });
      }
    },

    /** Processor time that a render is expected to take. */
    async estimateMs({ asset, read, size, encoding }: RenderRequest): Promise<number> {
      const measured = measurements.get(asset);
      return measured ? measuredRenderMs(size, encoding, measured) : guessedRenderMs(size, encoding, await read());
    },
  };
}
