// How a source that cannot be read is said to the one who named it.
import { AppError } from '../../errors.js';

export function unreadable(path: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError('invalid_request', why.includes(path) ? why : `${path}: ${why}`, { cause });
}
