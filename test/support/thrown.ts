// Errors that functions throw.
import { AppError } from '../../src/platform/errors.js';

/** Returns the `AppError` that `work` throws. Fails if `work` throws another error or no error. */
export function thrownBy(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}
