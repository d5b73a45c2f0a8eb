// Run of a job: claims its slot, runs it, and records the result.
import { MINUTE_MS } from '../time.js';
import type { JobSlots } from './job-slots.js';
import type { Job, JobParts, JobReport } from './job.js';

/** Time in ms after which another process may claim the slot of an unfinished run. */
export const CLAIM_MS = 10 * MINUTE_MS;
const MAX_ERROR_CHARACTERS = 500;

export interface JobContext {
  readonly slots: JobSlots;
  readonly parts: JobParts;
}

/**
 * Runs the job. Returns undefined if another process has claimed the slot. Records an error of the job and rethrows it.
 */
export async function runJob({ slots, parts }: JobContext, job: Job, slotMs: number): Promise<JobReport | undefined> {
  const slot = { job: job.name, slotMs };
  if (!(await slots.claim(slot, CLAIM_MS))) return undefined;
  const report = await job.run(parts).catch(async (error: unknown) => {
    await slots.finish(slot, String(error).slice(0, MAX_ERROR_CHARACTERS));
    throw error;
  });
  await slots.finish(slot, null);
  return report;
}
