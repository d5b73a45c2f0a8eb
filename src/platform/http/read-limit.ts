// Time limit of requests that only read. If the stores have not responded within it, the response is 503.
import { beginDeadline, type Deadline, type Timers } from '../concurrency/deadline.js';
import { AppError } from '../errors.js';
import type { Route } from './route.js';

/** Time limit in ms. With the work before and after it, a response takes at most a second. */
export const READ_LIMIT_MS = 950;

export function beginReadLimit(timers?: Timers): Deadline {
  return beginDeadline(
    READ_LIMIT_MS,
    () => new AppError('unavailable', 'The database does not respond right now.'),
    timers,
  );
}

/**
 * Returns true for GET. Requests with other methods may wait longer for locks. All metered routes only read, and always
 * have the limit.
 */
export function isRead({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET';
}
