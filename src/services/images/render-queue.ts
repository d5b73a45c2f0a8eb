// Render queue: accounts in rotation, cheap and costly pictures in lanes of their own.
import { createFairQueue } from '../../domain/fair-queue.js';
import type { RenderLane } from '../../domain/image/render-cost.js';

interface QueuedRender {
  readonly lane: RenderLane;
  readonly fairnessKey: string;
  readonly signal: AbortSignal;
}

export interface RenderQueue {
  /**
   * Rejects with AppError `busy` when the lane is full, and with the signal's reason when it aborts before the work.
   */
  run<Result>(render: QueuedRender, work: () => Promise<Result>): Promise<Result>;
  /** Renders whose work has not begun. */
  readonly waiting: () => number;
}

interface Options {
  /** Costly renders that could be under way at once; one less are, so that cheap ones always have a process. */
  readonly capacity: number;
  /** Cheap renders at once, when there are no costly ones. */
  readonly cheapCapacity: number;
  /** Pictures that may wait in each lane. */
  readonly maxQueue: number;
  /** Called when a render begins. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

export function createRenderQueue({ capacity, cheapCapacity, maxQueue, onWait }: Options): RenderQueue {
  const all = createFairQueue({ atOnce: cheapCapacity, maxWaiting: maxQueue });
  const costlyPlaces = Math.floor(cheapCapacity / capacity);
  // A costly picture takes a place here before it queues with the cheap ones, which so always have one process left.
  const costly = createFairQueue({ atOnce: Math.max(1, capacity - 1), maxWaiting: maxQueue });
  return {
    waiting: () => all.waiting() + costly.waiting(),
    run({ lane, fairnessKey, signal }, render) {
      const queuedMs = performance.now();
      const work = () => {
        onWait?.((performance.now() - queuedMs) / 1000);
        return render();
      };
      if (lane === 'cheap') return all.run(fairnessKey, work, signal);
      // Under a key of its own: behind its account's cheap pictures, a costly one would block its place for other
      // accounts.
      return costly.run(fairnessKey, () => all.run(`costly ${fairnessKey}`, work, signal, costlyPlaces), signal);
    },
  };
}
