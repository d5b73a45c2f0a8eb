// Type of a background job, and the services that jobs can use.

/** Services for jobs. Features declare further services by declaration merging. */
export interface JobParts {
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

/** Counts of completed work, such as `{ mails: 3 }`. */
export type JobReport = Readonly<Record<string, number>>;

/**
 * Background job. It must be idempotent. Each run queries the due work, so a run also does the work of earlier runs
 * that were missed or interrupted.
 */
export interface Job {
  readonly name: string;
  /** Cron expression in UTC. */
  readonly schedule: string;
  readonly summary: string;
  run(parts: JobParts): Promise<JobReport>;
}

/** Deletion of expired data by one feature. The job `prune` runs the deletions of all features. */
export interface Prune {
  /** Description of the deleted data, such as "security events after 400 days". */
  readonly what: string;
  run(parts: JobParts): Promise<JobReport>;
}
