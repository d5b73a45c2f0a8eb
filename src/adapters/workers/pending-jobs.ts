// Jobs of one drawing process, in the order in which it draws them: the first is under way, the second waits in the pipe.
import type { RenderLane } from '../../domain/image/render-cost.js';
import type { RasterOutcome } from '../../ports/rasterizer.js';

/** The process ended before it began with the job. */
export const UNBEGUN = Symbol('unbegun');
export type HostOutcome = RasterOutcome | typeof UNBEGUN;

interface NewJob {
  readonly lane: RenderLane;
  /** Limit of the reply's content. */
  readonly mostBytes: number;
}

export interface PendingJob extends NewJob {
  /** The first of all is 1. */
  readonly number: number;
  readonly settle: (outcome: HostOutcome) => void;
}

/** `onSilence` is called when the first has had no outcome for `silenceMs` since it became the first. */
export function createPendingJobs(silenceMs: number, onSilence: () => void) {
  const pending: PendingJob[] = [];
  let silence: NodeJS.Timeout | undefined;
  let number = 0;

  function listen(): void {
    clearTimeout(silence);
    if (pending.length > 0) silence = setTimeout(onSilence, silenceMs);
  }

  return {
    add({ lane, mostBytes }: NewJob): Promise<HostOutcome> {
      const outcome = new Promise<HostOutcome>((settle) => {
        pending.push({ lane, mostBytes, number: ++number, settle });
      });
      if (pending.length === 1) listen();
      return outcome;
    },
    first: (): PendingJob | undefined => pending[0],
    count: () => pending.length,
    /** Whether another may be added: none waits, and the first is cheap. */
    isFree: () => pending.length === 0 || (pending.length === 1 && pending[0]?.lane === 'cheap'),
    settleFirst(outcome: RasterOutcome): void {
      pending.shift()?.settle(outcome);
      listen();
    },
    settleAll(first: HostOutcome, others: HostOutcome): void {
      clearTimeout(silence);
      for (const [at, { settle }] of pending.splice(0).entries()) settle(at === 0 ? first : others);
    },
  };
}
