// Rasterize queue. Accounts take turns. Cheap and costly pictures have separate lanes. Only one picture of clients without an
// account is drawn at a time.
import { createFairQueue } from '../platform/concurrency/fair-queue.js';
import type { RasterizeLane } from './picture-cost.js';
import type { PictureClient } from './rasterize-request.js';

interface QueuedPicture extends Pick<PictureClient, 'fairnessKey' | 'isStranger'> {
  readonly lane: RasterizeLane;
  readonly signal: AbortSignal;
}

interface Options {
  /**
   * Most pictures that are drawn at once. At most `capacity - 1` of them are costly, so that a process is always free for cheap
   * pictures.
   */
  readonly capacity: number;
  /** Most waiting pictures in each lane. Clients without an account may use an eighth of it. */
  readonly maxQueue: number;
  /** Called with the wait in seconds when the drawing of a picture starts. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Key of all clients without an account in the rotation. */
const STRANGERS = 'strangers';

export function createRasterizeQueue({ capacity, maxQueue, onWait }: Options) {
  const all = createFairQueue({ atOnce: capacity, maxWaiting: maxQueue });
  // A costly picture takes a place here before it joins the main queue. One process therefore remains for cheap pictures.
  const costly = createFairQueue({ atOnce: Math.max(1, capacity - 1), maxWaiting: maxQueue });
  const strangers = createFairQueue({ atOnce: 1, maxWaiting: Math.max(1, Math.floor(maxQueue / 8)) });
  return {
    /** Returns the number of pictures that have not been started. */
    waiting: () => all.waiting() + costly.waiting() + strangers.waiting(),
    /** Rejects with AppError `busy` when the lane is full. Rejects with the signal's reason when it aborts before the start. */
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
        // A separate key. Behind the cheap pictures of its account, a costly picture would block its place for other accounts.
        return costly.run(key, () => all.run(`costly ${key}`, work, signal), signal);
      };
      return isStranger ? strangers.run(fairnessKey, () => begin(STRANGERS), signal) : begin(fairnessKey);
    },
  };
}
