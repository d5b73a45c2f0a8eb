// Middleware: adds a request id to the response and the log line. The client's id is used if it is well-formed.
// Otherwise a new id is created.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

export const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
/**
 * Matches keys, tokens and cookie values. Text that matches must not be used as an id, because ids appear in the
 * response and the log.
 */
const SECRET_SHAPE = /blzp?_|[A-Za-z0-9_-]{41}/;

export const requestId: Middleware = (context, next) => {
  const id = requestIdOf(context.req);
  context.state.requestId = id;
  context.state.headers = [{ 'X-Request-Id': id }];
  return next();
};

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) && !SECRET_SHAPE.test(given)
    ? given
    : randomUUID();
}
