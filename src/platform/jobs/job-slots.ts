// Job slots: each scheduled run of a job is claimed by one process.

export interface JobSlot {
  readonly job: string;
  /** Start of the slot, ms since the epoch: the same for all processes that tick at about the same time. */
  readonly slotMs: number;
}

export interface JobRun extends JobSlot {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Null while it runs or when it went well. */
  readonly error: string | null;
}

export interface JobSlots {
  /**
   * True for exactly one caller; again for one more when that one has not finished after `claimMs`. False once a later
   * slot was claimed, unless that is more than `CLOCK_TOLERANCE_MS` ahead: a clock was set back.
   */
  claim(slot: JobSlot, claimMs: number): Promise<boolean>;
  /** `error`: why it failed; null when it did not. */
  finish(slot: JobSlot, error: string | null): Promise<void>;
  /** The latest run of every job. */
  latest(): Promise<readonly JobRun[]>;
}
