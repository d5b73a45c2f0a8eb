// Writes whose answer may be lost: sent again and read back until their outcome is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../errors.js';
import { inTime, isUnavailable, timeLimits } from '../driver-error.js';

const SHORTEST_ATTEMPT_MS = 50;
const PAUSE_MS = 20;

interface Write<Outcome> {
  /**
   * Writes, if nothing stands against it; however often it is sent, it is applied at most once. So sending it again decides
   * about the first one, too: that it is not there yet would prove nothing, it may still be on its way.
   */
  readonly attempt: () => Promise<Outcome | 'rejected'>;
  /**
   * Of one that was rejected after an answer was lost: whether the lost one was this write. `undecided`: what stood against it
   * is not known to a majority yet.
   */
  readonly readBack: () => Promise<Outcome | 'rejected' | 'undecided'>;
}

/** Rejects with AppError `unavailable` when the outcome is not known within a second. */
export async function certainly<Outcome extends string>({
  attempt,
  readBack,
}: Write<Outcome>): Promise<Outcome | 'rejected'> {
  const endMs = performance.now() + timeLimits.writeMs;
  const limited = <Result>(work: () => Promise<Result>): Promise<Result> =>
    inTime(work, Math.min(timeLimits.attemptMs, endMs - performance.now()));
  let lost: unknown;
  while (endMs - performance.now() > SHORTEST_ATTEMPT_MS) {
    try {
      const outcome = await limited(attempt);
      if (outcome !== 'rejected' || lost === undefined) return outcome;
      const found = await limited(readBack);
      if (found !== 'undecided') return found;
    } catch (error) {
      if (!isUnavailable(error)) throw lost === undefined ? error : unknownOutcome(error);
      lost = error;
    }
    await sleep(PAUSE_MS);
  }
  throw unknownOutcome(lost);
}

function unknownOutcome(cause: unknown): AppError {
  return new AppError('unavailable', 'It is not known whether the change was saved.', { cause });
}
