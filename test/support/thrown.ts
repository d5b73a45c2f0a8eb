// Errors of functions that throw.
import { AppError } from '../../src/platform/errors.js';

/** Returns the error that the work throws. Fails for any other error, or none. */
export function thrownBy(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}
