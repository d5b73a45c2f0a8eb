// Type of a background job, and the services that jobs can use.

/** Services for jobs. Features declare further ones by declaration merging. */
export interface JobParts {
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

/** Counts of completed work, such as `{ mails: 3 }`. */
export type JobReport = Readonly<Record<string, number>>;

/**
 * Background job. It must be idempotent: each run queries the due work, so the next run completes what a missed or
 * interrupted run left.
 */
export interface Job {
  readonly name: string;
  /** Cron expression in UTC. */
  readonly schedule: string;
  readonly summary: string;
  run(parts: JobParts): Promise<JobReport>;
}

/** Deletion of expired data by one feature. The job `prune` runs all of them. */
export interface Prune {
  /** Description, such as "security events after 400 days". */
  readonly what: string;
  run(parts: JobParts): Promise<JobReport>;
}
