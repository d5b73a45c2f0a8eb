// Rasterize queue: accounts in rotation, cheap and costly pictures in lanes of their own, one of strangers at a time.
import { createFairQueue } from '../platform/concurrency/fair-queue.js';
import type { RasterizeLane } from './picture-cost.js';
import type { PictureClient } from './rasterize-request.js';

interface QueuedPicture extends Pick<PictureClient, 'fairnessKey' | 'isStranger'> {
  readonly lane: RasterizeLane;
  readonly signal: AbortSignal;
}

interface Options {
  /** Pictures drawn at once. At most `capacity - 1` of them are costly, so that cheap ones always have a process. */
  readonly capacity: number;
  /** Pictures that may wait in each lane; an eighth of it, those of strangers. */
  readonly maxQueue: number;
  /** Called when a picture begins to be drawn. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Key of all clients without an account, in the rotation of accounts. */
const STRANGERS = 'strangers';

export function createRasterizeQueue({ capacity, maxQueue, onWait }: Options) {
  const all = createFairQueue({ atOnce: capacity, maxWaiting: maxQueue });
  // A costly picture takes a place here before it queues with the cheap ones, which so always have one process left.
  const costly = createFairQueue({ atOnce: Math.max(1, capacity - 1), maxWaiting: maxQueue });
  const strangers = createFairQueue({ atOnce: 1, maxWaiting: Math.max(1, Math.floor(maxQueue / 8)) });
  return {
    /** Pictures whose work has not begun. */
    waiting: () => all.waiting() + costly.waiting() + strangers.waiting(),
    /** Rejects with AppError `busy` when the lane is full, and with the signal's reason when it aborts before the work. */
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
        // Under a key of its own: behind its account's cheap pictures, a costly one would block its place for other
        // accounts.
        return costly.run(key, () => all.run(`costly ${key}`, work, signal), signal);
      };
      return isStranger ? strangers.run(fairnessKey, () => begin(STRANGERS), signal) : begin(fairnessKey);
    },
  };
}
