// Time limit of requests that only read. If the stores do not respond within this limit, the response is 503.
import { beginDeadline, type Deadline, type Timers } from '../concurrency/deadline.js';
import { AppError } from '../errors.js';
import type { Route } from './route.js';

/** Time limit in ms. It leaves time for other work, so that a response takes at most a second. */
export const READ_LIMIT_MS = 950;

export function beginReadLimit(timers?: Timers): Deadline {
  return beginDeadline(
    READ_LIMIT_MS,
    () => new AppError('unavailable', 'The database does not respond right now.'),
    timers,
  );
}

/**
 * Returns true for GET requests, which get the time limit. Other requests may wait longer, because they may need locks.
 * Metered routes always have the limit, because all of them only read.
 */
export function isRead({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET';
}
