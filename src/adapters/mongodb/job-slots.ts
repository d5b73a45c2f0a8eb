// Job slots in MongoDB: one document per job, each claim a compare and set.
import { CLOCK_TOLERANCE_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { JobRun, JobSlot, JobSlots } from '../../ports/job-slots.js';
import type { MongoConnection } from './connection.js';
import { inTime, isDuplicate } from './driver-error.js';

interface Run {
  readonly slotMs: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

interface JobDocument {
  /** The job's name. */
  readonly _id: string;
  /** Rises by one with every change. */
  readonly rev: number;
  /** The latest, and those that a clock which was ahead has recorded. */
  readonly runs: readonly Run[];
}

/** Each lost race means that another process's change succeeded. */
const MAX_TRIES = 50;

/** `now`: ms since the epoch. A claim whose answer is lost rejects with `unavailable`; its slot is taken over after its lease. */
export function createMongoJobSlots({ db }: Pick<MongoConnection, 'db'>, now: () => number): JobSlots {
  const jobs = db.collection<JobDocument>('jobRuns');
  // Counted from the slot itself where that is later: the process that claims it takes its time for now.
  const farAhead = (slotMs: number): number => Math.max(slotMs, now()) + CLOCK_TOLERANCE_MS;

  /** Writes what `decide` makes of the runs, in one step; false when it gives undefined. */
  async function change(job: string, decide: (runs: readonly Run[]) => readonly Run[] | undefined): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const found = await inTime(() => jobs.findOne({ _id: job }));
      const runs = decide(found?.runs ?? []);
      if (runs === undefined) return false;
      const rev = (found?.rev ?? 0) + 1;
      const written = found
        ? (await inTime(() => jobs.updateOne({ _id: job, rev: found.rev }, { $set: { rev, runs } }))).matchedCount === 1
        : await inserted({ _id: job, rev, runs });
      if (written) return true;
    }
    throw new AppError('unavailable', `The runs of the job ${job} are changed by too many at once.`);
  }

  async function inserted(document: JobDocument): Promise<boolean> {
    try {
      await inTime(() => jobs.insertOne(document));
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  return {
    claim: (slot, leaseMs) =>
      change(slot.job, (runs) => claimed(runs, slot, { nowMs: now(), leaseMs, farAheadMs: farAhead(slot.slotMs) })),

    async finish({ job, slotMs }, error) {
      const finishedAt = new Date(now());
      await change(job, (runs) =>
        runs
          .filter((run) => run.slotMs >= slotMs && run.slotMs <= farAhead(slotMs))
          .map((run) => (run.slotMs === slotMs ? { ...run, finishedAt, error } : run)),
      );
    },

    async latest() {
      const found = await inTime(() => jobs.find({ 'runs.0': { $exists: true } }, { sort: { _id: 1 } }).toArray());
      return found.flatMap(({ _id: job, runs }): JobRun[] =>
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
  readonly leaseMs: number;
  /** A slot beyond was recorded before the clock was set back, and must not stop its job until then. */
  readonly farAheadMs: number;
}

/** The runs with this one begun; undefined when it may not begin. Earlier ones go: no process may begin them any more. */
function claimed(
  runs: readonly Run[],
  { slotMs }: JobSlot,
  { nowMs, leaseMs, farAheadMs }: Limits,
): readonly Run[] | undefined {
  if (runs.some((run) => run.slotMs > slotMs && run.slotMs <= farAheadMs)) return undefined;
  const begun = runs.find((run) => run.slotMs === slotMs);
  if (begun && !isGivenUp(begun, nowMs, leaseMs)) return undefined;
  const run: Run = { slotMs, startedAt: new Date(nowMs), finishedAt: null, error: null };
  return [...runs.filter((other) => other.slotMs > slotMs), run];
}

/** Not finished within its lease, or begun by a clock that was ahead. */
function isGivenUp({ startedAt, finishedAt }: Run, nowMs: number, leaseMs: number): boolean {
  const startedMs = startedAt.getTime();
  return finishedAt === null && (startedMs <= nowMs - leaseMs || startedMs > nowMs + CLOCK_TOLERANCE_MS);
}
