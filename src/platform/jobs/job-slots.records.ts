// Job slots, the same code for SQLite and MongoDB. There is one record per job. A process claims a slot by
// compare-and-set.
import { z } from 'zod';
import { instant, type RecordOf } from '../stores/stored-record.js';
import { CLOCK_TOLERANCE_MS } from '../time.js';
import type { JobRun, JobSlot, JobSlots } from './job-slots.js';
import type { Tables } from '../stores/tables.js';
import { changeRecord } from '../stores/change-record.js';

export const JOB_RUNS = {
  name: 'jobRuns',
  schema: z.object({
    /** Name of the job. */
    id: z.string(),
    /** Latest run of the job, and runs with a future date, which come from a wrong clock. */
    runs: z.array(
      z.object({
        slotMs: z.number(),
        startedAt: instant,
        finishedAt: instant.nullable(),
        error: z.string().nullable(),
      }),
    ),
    version: z.int().default(1),
  }),
};
type Run = RecordOf<typeof JOB_RUNS.schema>['runs'][number];

/**
 * `now`: time in ms since the epoch. If a claim is stored but the reply of the store is lost, `claim` rejects with
 * `unavailable`. No process then runs the job until the slot can be claimed again after `claimMs`.
 */
export function createJobSlots(table: Tables, now: () => number): JobSlots {
  const jobs = table(JOB_RUNS);
  // The slot's time may be later than `now`, because the claiming process has computed it with another clock.
  const farAhead = (slotMs: number): number => Math.max(slotMs, now()) + CLOCK_TOLERANCE_MS;

  /**
   * Replaces the stored runs of a job by the runs that `decide` returns. If `decide` returns undefined, writes nothing
   * and returns false.
   */
  async function change(job: string, decide: (runs: readonly Run[]) => readonly Run[] | undefined): Promise<boolean> {
    const changed = await changeRecord(jobs, job, (stored) => {
      const runs = decide(stored?.runs ?? []);
      return runs && { runs };
    });
    return changed !== undefined;
  }

  return {
    claim: (slot, claimMs) =>
      change(slot.job, (runs) => claimed(runs, slot, { nowMs: now(), claimMs, farAheadMs: farAhead(slot.slotMs) })),

    async finish({ job, slotMs }, error) {
      const finishedAt = new Date(now());
      await change(job, (runs) =>
        runs
          .filter((run) => run.slotMs >= slotMs && run.slotMs <= farAhead(slotMs))
          .map((run) => (run.slotMs === slotMs ? { ...run, finishedAt, error } : run)),
      );
    },

    async latest() {
      const found = await jobs.find({ sort: { id: 'ascending' } });
      return found.flatMap(({ id: job, runs }): JobRun[] =>
        runs
          .toSorted((one, other) => other.slotMs - one.slotMs)
          .slice(0, 1)
          .map((run) => ({ job, ...run })),
      );
    },
  };
}

interface Limits {
  readonly nowMs: number;
  readonly claimMs: number;
  /**
   * Latest plausible time of a slot, in ms since the epoch. Later slots come from a wrong clock. They are ignored, so
   * that they do not block the job.
   */
  readonly farAheadMs: number;
}

/**
 * Returns the runs with an added run of this slot, or undefined if the slot cannot be claimed. Drops runs of earlier
 * slots, because no process may claim those slots any more.
 */
function claimed(
  runs: readonly Run[],
  { slotMs }: JobSlot,
  { nowMs, claimMs, farAheadMs }: Limits,
): readonly Run[] | undefined {
  if (runs.some((run) => run.slotMs > slotMs && run.slotMs <= farAheadMs)) return undefined;
  const begun = runs.find((run) => run.slotMs === slotMs);
  if (begun && !isGivenUp(begun, nowMs, claimMs)) return undefined;
  const run: Run = { slotMs, startedAt: new Date(nowMs), finishedAt: null, error: null };
  return [...runs.filter((other) => other.slotMs > slotMs), run];
}

/**
 * Returns true if the run did not finish within `claimMs`, or if its start is in the future, because of a wrong clock.
 */
function isGivenUp({ startedAt, finishedAt }: Run, nowMs: number, claimMs: number): boolean {
  const startedMs = startedAt.getTime();
  return finishedAt === null && (startedMs <= nowMs - claimMs || startedMs > nowMs + CLOCK_TOLERANCE_MS);
}
