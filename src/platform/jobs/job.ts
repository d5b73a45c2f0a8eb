// Type of a background job, and the services available to jobs.

/** Services for jobs. Each feature adds its own by declaration merging. */
export interface JobParts {
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

/** Counts of completed work, for example `{ mails: 3 }`. */
export type JobReport = Readonly<Record<string, number>>;

/**
 * A job. It must be idempotent: each run queries the due work, so the next run makes up for a missed or interrupted
 * one.
 */
export interface Job {
  readonly name: string;
  /** Cron expression in UTC. */
  readonly schedule: string;
  readonly summary: string;
  run(parts: JobParts): Promise<JobReport>;
}

/** Deletes expired data. The job `prune` runs the prunes of all features. */
export interface Prune {
  /** Description such as "security events after 400 days". */
  readonly what: string;
  run(parts: JobParts): Promise<JobReport>;
}
