// Time limit of a request that only reads: if the stores have not responded within it, the response is 503.
import { beginDeadline, type Deadline, type Timers } from '../concurrency/deadline.js';
import { AppError } from '../errors.js';
import type { Route } from './route.js';

/** Limit in ms. With the work before and after it, a response takes a second. */
export const READ_LIMIT_MS = 950;

export function beginReadLimit(timers?: Timers): Deadline {
  return beginDeadline(
    READ_LIMIT_MS,
    () => new AppError('unavailable', 'The database does not respond right now.'),
    timers,
  );
}

/**
 * Returns true for GET. Other methods change something, and may wait for their turn. All metered routes only read, and
 * always have the limit.
 */
export function isRead({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET';
}
