// Rasterize queue. It serves accounts in rotation. Cheap and costly pictures wait in separate lanes. For all clients
// without an account together, only one picture is drawn at a time.
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
   * is always left for cheap pictures.
   */
  readonly capacity: number;
  /** Maximum number of waiting pictures in each lane. Clients without an account may use an eighth of this number. */
  readonly maxQueue: number;
  /** Called when the drawing of a picture starts. `seconds`: time for which the picture has waited. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Key in the rotation for all clients without an account. */
const STRANGERS = 'strangers';

export function createRasterizeQueue({ capacity, maxQueue, onWait }: Options) {
  const all = createFairQueue({ atOnce: capacity, maxWaiting: maxQueue });
  // A costly picture must get a place in this queue before it enters the main queue, so that one process is left for
  // cheap pictures.
  const costly = createFairQueue({ atOnce: Math.max(1, capacity - 1), maxWaiting: maxQueue });
  const strangers = createFairQueue({ atOnce: 1, maxWaiting: Math.max(1, Math.floor(maxQueue / 8)) });
  return {
    waiting: () => all.waiting() + costly.waiting() + strangers.waiting(),
    /**
     * Calls `draw` when it is the picture's turn. Rejects with AppError `busy` if the lane is full. Rejects with the
     * signal's reason if the signal is aborted before the start.
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
        // In the main queue, costly pictures have a fairness key of their own. With their account's key, they would
        // wait behind the account's cheap pictures, and meanwhile block the costly pictures of other accounts.
        return costly.run(key, () => all.run(`costly ${key}`, work, signal), signal);
      };
      return isStranger ? strangers.run(fairnessKey, () => begin(STRANGERS), signal) : begin(fairnessKey);
    },
  };
}
