// Job slots in SQLite: exactly one process runs each scheduled slot.
import { CLOCK_TOLERANCE_MS } from '../../domain/time.js';
import type { JobRun, JobSlots } from '../../ports/job-slots.js';
import type { Database } from './sqlite/guarded-database.js';

interface JobRecord {
  readonly job: string;
  readonly slot: number;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly error: string | null;
}

/** `now`: ms since the epoch. */
export function createEmbeddedJobSlots(db: Database, now: () => number): JobSlots {
  // Taken over when its process did not finish within the lease. Rows of finished slots are deleted, so slots older
  // than the latest are rejected: else a process that ticks late would run one again.
  const claim = db.prepare(`
    INSERT INTO job_runs (job, slot, started_at)
    SELECT :job, :slot, :now WHERE NOT EXISTS (
      SELECT 1 FROM job_runs WHERE job = :job AND slot > :slot AND slot <= :farAhead)
    ON CONFLICT (job, slot) DO UPDATE SET started_at = :now
      WHERE finished_at IS NULL AND (started_at <= :now - :lease OR started_at > :now + ${CLOCK_TOLERANCE_MS})`);
  const finish = db.prepare('UPDATE job_runs SET finished_at = ?, error = ? WHERE job = ? AND slot = ?');
  const removeOthers = db.prepare('DELETE FROM job_runs WHERE job = ? AND (slot < ? OR slot > ?)');
  const latest = db.prepare(
    'SELECT job, MAX(slot) AS slot, started_at, finished_at, error FROM job_runs GROUP BY job ORDER BY job',
  );

  // A slot further ahead was recorded before the clock was set back, and must not stop its job until then. Counted from
  // the slot itself where that is later: the process that claims it takes its time for now.
  const farAhead = (slotMs: number): number => Math.max(slotMs, now()) + CLOCK_TOLERANCE_MS;

  return {
    claim: async ({ job, slotMs }, leaseMs) =>
      claim.run({ job, slot: slotMs, now: now(), farAhead: farAhead(slotMs), lease: leaseMs }).changes === 1,

    async finish({ job, slotMs }, error) {
      finish.run(now(), error, job, slotMs);
      removeOthers.run(job, slotMs, farAhead(slotMs));
    },

    latest: async () =>
      (latest.all() as JobRecord[]).map(
        ({ job, slot, started_at: startedAt, finished_at: finishedAt, error }): JobRun => ({
          job,
          slotMs: slot,
          startedAt: new Date(startedAt),
          finishedAt: finishedAt === null ? null : new Date(finishedAt),
          error,
        }),
      ),
  };
}
