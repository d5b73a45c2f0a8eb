// Scheduler of jobs. Every process ticks. One of them claims the slot of each run, and another takes over if it died.
import { schedule } from 'node-cron';
import { MINUTE_MS, SECOND_MS } from '../time.js';
import type { Job, JobReport } from './job.js';
import { runJob, type JobContext } from './run-job.js';

/** Schedule of the search for runs of dead processes. */
const TAKE_OVER_SCHEDULE = '* * * * *';

/**
 * Calls back at the times of a cron expression in UTC, with the planned time in ms since the epoch. Returns the
 * function that stops it.
 */
export type Ticker = (expression: string, onTick: (plannedMs: number) => void) => () => void;

interface RunOptions extends JobContext {
  readonly onDone: (job: Job, report: JobReport) => void;
  /** Called after a failure. `job`: the job of the failed run. */
  readonly onFailure: (error: unknown, what: string, job?: Job) => void;
}

interface Options extends RunOptions {
  readonly jobs: readonly Job[];
  /** Replaces the system clock. */
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
      // The claim fails while the other process's claim lasts.
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
    /** Starts no further runs. Resolves when the last run of this process has ended. */
    async close(): Promise<void> {
      closed = true;
      for (const stop of stops) stop();
      await runs.settle();
    },
  };
}

/** Runs in this process, at most one per job at a time. */
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
    /** Starts a run. If the job still runs here, leaves the slot to other processes. */
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
 * Restarts a ticker when the clock was set back. Its timers are set for a time of day and would fire too late. `watch`
 * calls `check` at intervals, and returns the function that stops it.
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

/** Drops ticks that come too late without a warning: the next run does the missed work. */
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
