// Middleware: handles a few requests in each tick of the event loop. Otherwise a thousand sign-ins that arrive at once
// would all be parsed in one tick, and every picture would wait for them.
import type { Middleware } from 'koa';
import { AppError } from '../platform/errors.js';

/**
 * Creates the middleware. It calls `next` in the same tick for the first `perTick` requests, and in later ticks for the
 * others, in order.
 */
export function createThrottle(perTick: number): Middleware {
  const waiting: (() => void)[] = [];
  let left = perTick;
  let isScheduled = false;

  function scheduleNext(): void {
    if (isScheduled) return;
    isScheduled = true;
    // Runs after all data that has arrived by then was read.
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
