// Slots for the work on uploads whose bodies are complete.
import { AppError } from '../../errors.js';

export interface SlotLimits {
  readonly all: number;
  readonly ofOwner: number;
}

/** Bounds how many uploads of a route this process works on, and how many of them are one account's. */
export class UploadSlots {
  private readonly takenBy = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Throws AppError `busy` if there is none for this owner. */
  assertFree(owner: string): void {
    if ((this.takenBy.get(owner) ?? 0) >= this.limits.ofOwner)
      throw new AppError('busy', 'Other uploads of this account are under way.');
    if (this.taken >= this.limits.all) throw new AppError('busy', 'Too many uploads are under way.');
  }

  /** Returns the function that gives the slot back. Throws AppError `busy`. */
  take(owner: string): () => void {
    this.assertFree(owner);
    this.add(owner, 1);
    return () => this.add(owner, -1);
  }

  private add(owner: string, change: 1 | -1): void {
    this.taken += change;
    const own = (this.takenBy.get(owner) ?? 0) + change;
    if (own === 0) this.takenBy.delete(owner);
    else this.takenBy.set(owner, own);
  }
}
