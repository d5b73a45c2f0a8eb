// Render queue: accounts in rotation, cheap and costly pictures in lanes of their own, one of strangers at a time.
import { createFairQueue } from '../../domain/concurrency/fair-queue.js';
import type { RenderLane } from '../../domain/image/render-cost.js';
import type { RenderClient } from './render-request.js';

interface QueuedRender extends Pick<RenderClient, 'fairnessKey' | 'isStranger'> {
  readonly lane: RenderLane;
  readonly signal: AbortSignal;
}

interface Options {
  /** Costly renders that could be under way at once; one less are, so that cheap ones always have a process. */
  readonly capacity: number;
  /** Cheap renders at once, when there are no costly ones. */
  readonly cheapCapacity: number;
  /** Pictures that may wait in each lane; an eighth of it, those of strangers. */
  readonly maxQueue: number;
  /** Called when a render begins. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Key of all clients without an account, in the rotation of accounts. */
const STRANGERS = 'strangers';

export function createRenderQueue({ capacity, cheapCapacity, maxQueue, onWait }: Options) {
  const all = createFairQueue({ atOnce: cheapCapacity, maxWaiting: maxQueue });
  const costlyPlaces = Math.floor(cheapCapacity / capacity);
  // A costly picture takes a place here before it queues with the cheap ones, which so always have one process left.
  const costly = createFairQueue({ atOnce: Math.max(1, capacity - 1), maxWaiting: maxQueue });
  const strangers = createFairQueue({ atOnce: 1, maxWaiting: Math.max(1, Math.floor(maxQueue / 8)) });
  return {
    /** Renders whose work has not begun. */
    waiting: () => all.waiting() + costly.waiting() + strangers.waiting(),
    /** Rejects with AppError `busy` when the lane is full, and with the signal's reason when it aborts before the work. */
    run<Result>(
      { lane, fairnessKey, isStranger, signal }: QueuedRender,
      render: () => Promise<Result>,
    ): Promise<Result> {
      const queuedMs = performance.now();
      const work = () => {
        onWait?.((performance.now() - queuedMs) / 1000);
        return render();
      };
      const begin = (key: string) => {
        if (lane === 'cheap') return all.run(key, work, signal);
        // Under a key of its own: behind its account's cheap pictures, a costly one would block its place for other
        // accounts.
        return costly.run(key, () => all.run(`costly ${key}`, work, signal, costlyPlaces), signal);
      };
      return isStranger ? strangers.run(fairnessKey, () => begin(STRANGERS), signal) : begin(fairnessKey);
    },
  };
}
