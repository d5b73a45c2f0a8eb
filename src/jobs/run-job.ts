// One turn of a job: claimed, done, written down.
import { MINUTE_MS } from '../domain/time.js';
import type { JobSlots } from '../ports/job-slots.js';
import type { Job, JobParts, JobReport } from './job.js';

/** A turn that takes longer is taken for dead, and somebody else's. */
export const LEASE_MS = 10 * MINUTE_MS;
const MAX_ERROR_CHARACTERS = 500;

export interface JobContext {
  readonly slots: JobSlots;
  readonly parts: JobParts;
}

/** Undefined: it is somebody else's, or was. Throws what the job throws, after that was written down. */
export async function runJob({ slots, parts }: JobContext, job: Job, slotMs: number): Promise<JobReport | undefined> {
  const slot = { job: job.name, slotMs };
  if (!(await slots.claim(slot, LEASE_MS))) return undefined;
  const report = await job.run(parts).catch(async (error: unknown) => {
    await slots.finish(slot, String(error).slice(0, MAX_ERROR_CHARACTERS));
    throw error;
  });
  await slots.finish(slot, null);
  return report;
}
