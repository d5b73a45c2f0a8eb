// Errors of functions that throw.
import { AppError } from '../../src/platform/errors.js';

/** The error that the work throws; fails for any other, and for none. */
export function thrownBy(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}
