// Type of a background job, and the services available to it.

/** Each feature adds what its jobs need, by declaration merging. */
export interface JobParts {
  /** ms since the epoch */
  readonly now: () => number;
}

/** Counts of what was done: `{ mails: 3 }`. */
export type JobReport = Readonly<Record<string, number>>;

/** Idempotent: each run queries what is due, so the next one makes up for a run that was missed or interrupted. */
export interface Job {
  readonly name: string;
  /** Cron, UTC. */
  readonly schedule: string;
  readonly summary: string;
  run(parts: JobParts): Promise<JobReport>;
}

/** Deletes what is older than it may be. The job `prune` runs the prunes of all features. */
export interface Prune {
  /** As in "security events after 400 days". */
  readonly what: string;
  run(parts: JobParts): Promise<JobReport>;
}
