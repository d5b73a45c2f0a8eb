// Upload slots: limit how many fully received uploads are processed at once.
import { AppError } from '../../errors.js';

export interface SlotLimits {
  readonly all: number;
  readonly ofOwner: number;
}

/** Limits how many uploads of a route this process handles at once, in total and per account. */
export class UploadSlots {
  private readonly takenBy = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Throws AppError `busy` if no slot is free for this account. */
  assertFree(owner: string): void {
    if ((this.takenBy.get(owner) ?? 0) >= this.limits.ofOwner)
      throw new AppError('busy', 'Too many uploads of this account are running.');
    if (this.taken >= this.limits.all) throw new AppError('busy', 'Too many uploads are running.');
  }

  /** Takes a slot and returns a function that releases it. Throws AppError `busy` if no slot is free. */
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
