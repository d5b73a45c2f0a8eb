// Jobs of one drawing process, in the order in which it draws them: the first is under way, the second waits in the pipe.
import type { RasterizeLane } from '../../domain/picture/picture-cost.js';
import type { RasterizeOutcome } from '../../ports/rasterizer.js';

/** The process ended before it began with the job. */
export const UNBEGUN = Symbol('unbegun');
export type JobOutcome = RasterizeOutcome | typeof UNBEGUN;

interface NewJob {
  readonly lane: RasterizeLane;
  /** Limit of the reply's content. */
  readonly mostBytes: number;
}

export interface PendingJob extends NewJob {
  /** The first of all is 1. */
  readonly number: number;
  readonly settle: (outcome: JobOutcome) => void;
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
    add({ lane, mostBytes }: NewJob): Promise<JobOutcome> {
      const outcome = new Promise<JobOutcome>((settle) => {
        pending.push({ lane, mostBytes, number: ++number, settle });
      });
      if (pending.length === 1) listen();
      return outcome;
    },
    first: (): PendingJob | undefined => pending[0],
    count: () => pending.length,
    /** Another may be added: none waits, and the first is cheap. */
    isFree: () => pending.length === 0 || (pending.length === 1 && pending[0]?.lane === 'cheap'),
    settleFirst(outcome: RasterizeOutcome): void {
      pending.shift()?.settle(outcome);
      listen();
    },
    settleAll(first: JobOutcome, others: JobOutcome): void {
      clearTimeout(silence);
      for (const [at, { settle }] of pending.splice(0).entries()) settle(at === 0 ? first : others);
    },
  };
}
