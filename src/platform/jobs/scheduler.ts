// Scheduler of jobs. Every process has timers for all jobs. One process claims the slot of each run. If that process
// dies, another process claims the slot later.
import { schedule } from 'node-cron';
import { MINUTE_MS, SECOND_MS } from '../time.js';
import type { Job, JobReport } from './job.js';
import { runJob, type JobContext } from './run-job.js';

/** Cron expression of the search for unfinished runs of dead processes: every minute. */
const TAKE_OVER_SCHEDULE = '* * * * *';

/**
 * Calls `onTick` at the times of a cron expression in UTC, with the planned time in ms since the epoch. Returns a
 * function that stops the calls.
 */
export type Ticker = (expression: string, onTick: (plannedMs: number) => void) => () => void;

interface RunOptions extends JobContext {
  readonly onDone: (job: Job, report: JobReport) => void;
  /** Called after a failure. `job`: job of the failed run; undefined if the failure concerns no job. */
  readonly onFailure: (error: unknown, what: string, job?: Job) => void;
}

interface Options extends RunOptions {
  readonly jobs: readonly Job[];
  /** Replaces the system's timers in tests. */
  readonly ticker?: Ticker;
}

export type Schedule = ReturnType<typeof openSchedule>;

export function openSchedule({
  jobs,
  slots,
  ticker = restartedTicker(cronTicker, Date.now, everyMinute),
  ...options
}: Options) {
  const { onFailure } = options;
  const runs = createRuns({ slots, ...options });
  let closed = false;

  async function takeOver(): Promise<void> {
    try {
      const unfinished = (await slots.latest()).filter(({ finishedAt }) => finishedAt === null);
      // Tries to claim the slots of unfinished runs. A claim fails until `CLAIM_MS` after the start of the run, because
      // the process that has started the run may still be alive.
      for (const job of jobs)
        for (const run of unfinished) if (run.job === job.name && !closed) runs.start(job, run.slotMs);
    } catch (error) {
      onFailure(error, 'looking for unfinished jobs failed; trying again in a minute');
    }
  }

  const stops = [
    ...jobs.map((job) => ticker(job.schedule, (plannedMs) => runs.start(job, plannedMs))),
    ticker(TAKE_OVER_SCHEDULE, () => void takeOver()),
  ];

  return {
    /** Stops starting runs. Resolves when all runs in this process have ended. */
    async close(): Promise<void> {
      closed = true;
      for (const stop of stops) stop();
      await runs.settle();
    },
  };
}

/** Creates the list of runs in this process, with at most one run per job at a time. */
function createRuns({ slots, parts, onDone, onFailure }: RunOptions) {
  const running = new Map<string, Promise<void>>();

  async function run(job: Job, slotMs: number): Promise<void> {
    try {
      const report = await runJob({ slots, parts }, job, slotMs);
      if (report) onDone(job, report);
    } catch (error) {
      onFailure(error, `the job ${job.name} failed; its next run tries again`, job);
    }
  }

  return {
    /**
     * Starts a run. Does nothing if the job is still running in this process, so that another process can claim the
     * slot.
     */
    start(job: Job, slotMs: number): void {
      if (running.has(job.name)) return;
      running.set(
        job.name,
        run(job, slotMs).finally(() => running.delete(job.name)),
      );
    },
    async settle(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}

/**
 * Wraps a ticker and restarts it when the clock is set back. Without a restart, the ticker would wait for a time of day
 * that it computed with the old clock, and tick too late. `watch`: calls `check` at intervals, and returns a function
 * that stops these calls.
 */
export function restartedTicker(ticker: Ticker, now: () => number, watch: (check: () => void) => () => void): Ticker {
  return (expression, onTick) => {
    let stop = ticker(expression, onTick);
    let lastMs = now();
    const unwatch = watch(() => {
      const nowMs = now();
      if (nowMs < lastMs) {
        stop();
        stop = ticker(expression, onTick);
      }
      lastMs = nowMs;
    });
    return () => {
      unwatch();
      stop();
    };
  };
}

/**
 * Starts node-cron. If a tick is too late, it is dropped without a warning, because the next run of the job does the
 * missed work.
 */
function cronTicker(expression: string, onTick: (plannedMs: number) => void): () => void {
  const task = schedule(expression, ({ date }) => onTick(Math.floor(date.getTime() / SECOND_MS) * SECOND_MS), {
    timezone: 'Etc/UTC',
    suppressMissedWarning: true,
  });
  return () => void task.destroy();
}

function everyMinute(check: () => void): () => void {
  const timer = setInterval(check, MINUTE_MS).unref();
  return () => clearInterval(timer);
}
