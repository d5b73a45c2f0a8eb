// Job slot: one scheduled run of a job. Exactly one process claims it.

export interface JobSlot {
  readonly job: string;
  /** Planned time of the run in ms since the epoch. All processes compute the same time. */
  readonly slotMs: number;
}

export interface JobRun extends JobSlot {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Error of the run; null if the run succeeded or has not ended. */
  readonly error: string | null;
}

export interface JobSlots {
  /**
   * Claims a slot. Returns true for only one caller. If that caller has not finished after `claimMs`, another caller
   * can claim the slot. Returns false if a later slot is already claimed. Later slots that are more than
   * `CLOCK_TOLERANCE_MS` in the future do not count, because they come from a wrong clock.
   */
  claim(slot: JobSlot, claimMs: number): Promise<boolean>;
  /** Saves the end of a run. `error`: reason of its failure, or null. */
  finish(slot: JobSlot, error: string | null): Promise<void>;
  latest(): Promise<readonly JobRun[]>;
}
