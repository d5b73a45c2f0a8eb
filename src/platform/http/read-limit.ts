// Time limit of an answer to a request that only reads: the stores have answered within it, or the answer is 503.
import { beginDeadline, type Deadline, type Timers } from '../concurrency/deadline.js';
import { AppError } from '../errors.js';
import type { Route } from './route.js';

/** With what comes before and after, an answer takes a second. */
export const READ_LIMIT_MS = 950;

export function beginReadLimit(timers?: Timers): Deadline {
  return beginDeadline(READ_LIMIT_MS, () => new AppError('unavailable', 'The stores do not answer right now.'), timers);
}

/** Other methods change something, and may wait for their turn. (Of metered routes all are reads, and all have the limit.) */
export function isRead({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET';
}
