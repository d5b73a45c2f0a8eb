// Rasterize queue. It serves accounts in rotation. Cheap and costly pictures have separate lanes. Of all clients
// without an account together, one picture is drawn at a time.
import { createFairQueue } from '../platform/concurrency/fair-queue.js';
import type { RasterizeLane } from './picture-cost.js';
import type { PictureClient } from './rasterize-request.js';

interface QueuedPicture extends Pick<PictureClient, 'fairnessKey' | 'isStranger'> {
  readonly lane: RasterizeLane;
  readonly signal: AbortSignal;
}

interface Options {
  /**
   * Maximum number of pictures that are drawn at once. At most `capacity - 1` of them are costly, so that one process
   * is always free for cheap pictures.
   */
  readonly capacity: number;
  /** Maximum number of waiting pictures in each lane. Clients without an account may use an eighth of it. */
  readonly maxQueue: number;
  /** Called when the drawing of a picture starts, with its waiting time in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Key that all clients without an account share in the rotation. */
const STRANGERS = 'strangers';

export function createRasterizeQueue({ capacity, maxQueue, onWait }: Options) {
  const all = createFairQueue({ atOnce: capacity, maxWaiting: maxQueue });
  // A costly picture takes a place in this queue before it enters the main queue. So one process remains for cheap
  // pictures.
  const costly = createFairQueue({ atOnce: Math.max(1, capacity - 1), maxWaiting: maxQueue });
  const strangers = createFairQueue({ atOnce: 1, maxWaiting: Math.max(1, Math.floor(maxQueue / 8)) });
  return {
    /** Returns the number of waiting pictures. */
    waiting: () => all.waiting() + costly.waiting() + strangers.waiting(),
    /**
     * Calls `draw` when it is the picture's turn. Rejects with AppError `busy` when the lane is full. If the signal is
     * aborted before the start, rejects with its reason.
     */
    run<Result>(
      { lane, fairnessKey, isStranger, signal }: QueuedPicture,
      draw: () => Promise<Result>,
    ): Promise<Result> {
      const queuedMs = performance.now();
      const work = () => {
        onWait?.((performance.now() - queuedMs) / 1000);
        return draw();
      };
      const begin = (key: string) => {
        if (lane === 'cheap') return all.run(key, work, signal);
        // Costly pictures get a separate key in the main queue. With the account's key, a costly picture would wait
        // behind the account's cheap pictures, and meanwhile occupy a place in the costly queue.
        return costly.run(key, () => all.run(`costly ${key}`, work, signal), signal);
      };
      return isStranger ? strangers.run(fairnessKey, () => begin(STRANGERS), signal) : begin(fairnessKey);
    },
  };
}
