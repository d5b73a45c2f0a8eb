// Middleware: handles a limited number of requests per tick of the event loop. Otherwise a thousand sign-ins that
// arrive at once would all be parsed in one tick, which would delay every picture.
import type { Middleware } from 'koa';
import { AppError } from '../platform/errors.js';

/**
 * Creates the middleware. In each tick, it calls `next` immediately for the first `perTick` requests. Further requests
 * wait for later ticks, in the order of their arrival.
 */
export function createThrottle(perTick: number): Middleware {
  const waiting: (() => void)[] = [];
  let left = perTick;
  let isScheduled = false;

  function scheduleNext(): void {
    if (isScheduled) return;
    isScheduled = true;
    // `setImmediate` runs after the poll phase, which has read all data that has arrived.
    setImmediate(() => {
      isScheduled = false;
      const admitted = waiting.splice(0, perTick);
      left = perTick - admitted.length;
      if (admitted.length > 0) scheduleNext();
      for (const enter of admitted) enter();
    });
  }

  return async (context, next) => {
    scheduleNext();
    if (left > 0) left--;
    else await new Promise<void>((enter) => waiting.push(enter));
    if (context.req.socket.destroyed)
      throw new AppError('invalid_request', 'The connection was closed before its request was read.');
    await next();
  };
}
