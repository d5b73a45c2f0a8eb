// Job slots: exactly one process claims each scheduled run of a job.

export interface JobSlot {
  readonly job: string;
  /** Planned time of the run in ms since the epoch. It is the same in all processes. */
  readonly slotMs: number;
}

export interface JobRun extends JobSlot {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Error of the run; null if it succeeded or is still running. */
  readonly error: string | null;
}

export interface JobSlots {
  /**
   * Claims a slot. Returns true for exactly one caller. If this caller has not finished after `claimMs`, another caller
   * can claim the slot. Returns false if a later slot was already claimed. Slots more than `CLOCK_TOLERANCE_MS` in the
   * future are ignored, because the clock was set back.
   */
  claim(slot: JobSlot, claimMs: number): Promise<boolean>;
  /** Saves the end of a run. `error`: reason of its failure, or null. */
  finish(slot: JobSlot, error: string | null): Promise<void>;
  latest(): Promise<readonly JobRun[]>;
}
