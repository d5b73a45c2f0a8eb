// Middleware: puts a request id into the response and the log. It is the client's id if that is well formed, otherwise
// a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

export const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
/**
 * Matches keys, tokens and cookie values, which must not become ids, because ids are repeated in the response and
 * logged.
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
