// Middleware: rejects request lines and headers that are valid HTTP, but that this service cannot use.
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { invalidField, type AppError } from '../../errors.js';

const TARGET = /^[\x21\x22\x24-\x7e]*$/;

/**
 * Middleware that throws AppError `invalid_request` for an unusable request line or header, before other code reads it.
 */
export const rejectUnusable: Middleware = (context, next) => {
  assertUsable(context.req);
  return next();
};

function assertUsable({ url = '', headers, rawHeaders, httpVersion }: IncomingMessage): void {
  if (!url.startsWith('/')) throw invalidField('request target', 'must be a path', 'a path that starts with /');
  // Koa's URL parser would throw for some of these URLs, and its error message would contain the URL.
  if (!TARGET.test(url)) throw unencodedTarget();
  if (headers.host === undefined && httpVersion === '1.1') throw invalidField('Host', 'missing');
  if (countOf(rawHeaders, 'host') > 1) throw invalidField('Host', 'given more than once', 'one');
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw invalidField('Expect', 'not known', '100-continue');
}

export function unencodedTarget(): AppError {
  return invalidField(
    'request target',
    'has a character that must be percent-encoded',
    'visible ASCII characters except #',
  );
}

/**
 * Returns true if the client wants to switch the protocol. The service ignores `Upgrade` (RFC 9110, section 7.8), but
 * the client may send bytes after the request that are not HTTP. `h2c` is an exception, because a client that offers
 * `h2c` continues with HTTP/1.1.
 */
export function wantsOtherProtocol({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() !== 'h2c';
}

/**
 * Counts how often a header is sent. RFC 9112, section 3.2 requires a 400 for a repeated Host. Node uses the first
 * Host, but a proxy may have used the last one.
 */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at];
    if (field?.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}
