// Jobs at their times. Every process ticks; each turn is claimed by one of them, and taken over when that one died.
import { schedule } from 'node-cron';
import { MINUTE_MS, SECOND_MS } from '../domain/time.js';
import type { Job, JobReport } from './job.js';
import { runJob, type JobContext } from './run-job.js';

/** How often the turns of dead processes are looked for. */
const TAKE_OVER_SCHEDULE = '* * * * *';

/** Calls at the times of a cron expression, UTC, with the planned time in ms since the epoch. Gives what ends it. */
export type Ticker = (expression: string, onTick: (plannedMs: number) => void) => () => void;

interface Options extends JobContext {
  readonly jobs: readonly Job[];
  readonly onDone: (job: Job, report: JobReport) => void;
  readonly onFailure: (error: unknown, what: string) => void;
  /** The time, where it is not to be that of the wall. */
  readonly ticker?: Ticker;
}

export interface Schedule {
  /** No turn begins any more; resolves when the last one that runs here has ended. */
  close(): Promise<void>;
}

export function openSchedule({
  jobs,
  slots,
  parts,
  onDone,
  onFailure,
  ticker = restartedTicker(cronTicker, Date.now, everyMinute),
}: Options): Schedule {
  const underWay = new Map<string, Promise<void>>();
  let closed = false;

  async function turn(job: Job, slotMs: number): Promise<void> {
    try {
      const report = await runJob({ slots, parts }, job, slotMs);
      if (report) onDone(job, report);
    } catch (error) {
      onFailure(error, `the job ${job.name} failed; its next turn tries again`);
    }
  }

  /** A job that still runs here leaves its turn to others. */
  function begin(job: Job, slotMs: number): void {
    if (underWay.has(job.name)) return;
    underWay.set(
      job.name,
      turn(job, slotMs).finally(() => underWay.delete(job.name)),
    );
  }

  async function takeOver(): Promise<void> {
    try {
      const unfinished = (await slots.latest()).filter(({ finishedAt }) => finishedAt === null);
      // Claiming fails for those whose runner may still be alive.
      for (const job of jobs) for (const run of unfinished) if (run.job === job.name && !closed) begin(job, run.slotMs);
    } catch (error) {
      onFailure(error, 'looking for unfinished jobs failed; trying again in a minute');
    }
  }

  const stops = [
    ...jobs.map((job) => ticker(job.schedule, (plannedMs) => begin(job, plannedMs))),
    ticker(TAKE_OVER_SCHEDULE, () => void takeOver()),
  ];

  return {
    async close() {
      closed = true;
      for (const stop of stops) stop();
      await Promise.all(underWay.values());
    },
  };
}

/**
 * The same ticks after the clock was set back: a timer that was set for a time of day would fire as much later. `watch`
 * calls `look` every now and then, and returns what ends it.
 */
export function restartedTicker(ticker: Ticker, now: () => number, watch: (look: () => void) => () => void): Ticker {
  return (expression, onTick) => {
    let stop = ticker(expression, onTick);
    let seenMs = now();
    const unwatch = watch(() => {
      const nowMs = now();
      if (nowMs < seenMs) {
        stop();
        stop = ticker(expression, onTick);
      }
      seenMs = nowMs;
    });
    return () => {
      unwatch();
      stop();
    };
  };
}

/** A tick that comes too late is left out without a word: jobs make good what they missed. */
function cronTicker(expression: string, onTick: (plannedMs: number) => void): () => void {
  const task = schedule(expression, ({ date }) => onTick(Math.floor(date.getTime() / SECOND_MS) * SECOND_MS), {
    timezone: 'Etc/UTC',
    suppressMissedWarning: true,
  });
  return () => void task.destroy();
}

function everyMinute(look: () => void): () => void {
  const timer = setInterval(look, MINUTE_MS).unref();
  return () => clearInterval(timer);
}
