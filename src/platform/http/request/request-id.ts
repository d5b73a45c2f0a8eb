// Request ids, in the answer and in the log: the client's own when it is well formed, else a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
/** Keys, tokens and values of cookies: an id is repeated in the answer and logged. */
const SECRET_SHAPE = /blzp?_|[A-Za-z0-9_-]{41}/;

export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) && !SECRET_SHAPE.test(given)
    ? given
    : randomUUID();
}
