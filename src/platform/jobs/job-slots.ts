// Job slots: one process claims each scheduled run of a job.

export interface JobSlot {
  readonly job: string;
  /** Start of the slot in ms since the epoch. It is the same for all processes that tick at about the same time. */
  readonly slotMs: number;
}

export interface JobRun extends JobSlot {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Error of the run; null while it runs or if it succeeded. */
  readonly error: string | null;
}

export interface JobSlots {
  /**
   * Claims a slot. Returns true for exactly one caller, and for one more if that caller has not finished after
   * `claimMs`. Returns false once a later slot was claimed. A slot more than `CLOCK_TOLERANCE_MS` ahead does not count,
   * because the clock was set back.
   */
  claim(slot: JobSlot, claimMs: number): Promise<boolean>;
  /** Records the end of a run. `error`: why it failed, or null. */
  finish(slot: JobSlot, error: string | null): Promise<void>;
  /** Returns the latest run of every job. */
  latest(): Promise<readonly JobRun[]>;
}
