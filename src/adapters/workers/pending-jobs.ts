// Jobs of one drawing process, in the order in which it draws them: the first is under way, the second waits in the pipe.
import type { RenderLane } from '../../domain/image/render-cost.js';
import type { RasterOutcome } from '../../ports/rasterizer.js';

/** The process ended before it began with the job. */
export const UNBEGUN = Symbol('unbegun');
export type HostOutcome = RasterOutcome | typeof UNBEGUN;

interface NewJob {
  readonly lane: RenderLane;
  /** Of the reply's content. */
  readonly mostBytes: number;
}

interface PendingJob extends NewJob {
  /** The first of all is 1. */
  readonly number: number;
  readonly settle: (outcome: HostOutcome) => void;
}

export interface PendingJobs {
  add(job: NewJob): Promise<HostOutcome>;
  readonly first: () => PendingJob | undefined;
  readonly count: () => number;
  /** Whether another may be added: none waits, and the first is cheap. */
  readonly isFree: () => boolean;
  settleFirst(outcome: RasterOutcome): void;
  settleAll(first: HostOutcome, others: HostOutcome): void;
}

/** `onSilence` is called when the first has had no outcome for `silenceMs` since it became the first. */
export function createPendingJobs(silenceMs: number, onSilence: () => void): PendingJobs {
  const pending: PendingJob[] = [];
  let silence: NodeJS.Timeout | undefined;
  let number = 0;

  function listen(): void {
    clearTimeout(silence);
    if (pending.length > 0) silence = setTimeout(onSilence, silenceMs);
  }

  return {
    add({ lane, mostBytes }) {
      const outcome = new Promise<HostOutcome>((settle) => {
        pending.push({ lane, mostBytes, number: ++number, settle });
      });
      if (pending.length === 1) listen();
      return outcome;
    },
    first: () => pending[0],
    count: () => pending.length,
    isFree: () => pending.length === 0 || (pending.length === 1 && pending[0]?.lane === 'cheap'),
    settleFirst(outcome) {
      pending.shift()?.settle(outcome);
      listen();
    },
    settleAll(first, others) {
      clearTimeout(silence);
      for (const [at, { settle }] of pending.splice(0).entries()) settle(at === 0 ? first : others);
    },
  };
}
