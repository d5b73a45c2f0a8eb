// Middleware: writes the reply that later middleware has set in `context.state`.
import type { Middleware } from 'koa';
import { wantsOtherProtocol } from './request/request-head.js';
import type { HeaderFields } from './response/reply.js';
import { streamBody } from './response/stream-body.js';
import type { Log } from './observe.js';

interface Options {
  readonly log: Log;
  readonly origin: string;
  readonly isDraining: () => boolean;
}

const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' };
/** Tells browsers to use https for one year (RFC 6797, section 6.1.1). */
const HTTPS_ONLY = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Creates the middleware. It replaces Koa's `respond`, and writes head and body in one call (ADR 6). */
export function createRespond({ log, origin, isDraining }: Options): Middleware {
  const security: HeaderFields = { ...NO_SNIFFING, ...(origin.startsWith('https:') && HTTPS_ONLY) };
  return async (context, next) => {
    await next();
    const { req, res, state } = context;
    const { status, headers, body, chunks } = state.reply;
    const head: string[] = [];
    for (const fields of [...headers, ...state.headers, security])
      for (const name in fields) head.push(name, fields[name] ?? '');
    if (status !== 304 && status !== 204 && body !== undefined)
      head.push('Content-Length', String(Buffer.byteLength(body ?? '')));
    // Makes Node send `Connection: close` and close the connection after this response.
    if (isDraining() || wantsOtherProtocol(req)) res.shouldKeepAlive = false;
    context.respond = false;
    res.writeHead(status, head);
    if (!chunks) res.end(req.method === 'HEAD' ? undefined : body);
    else
      streamBody(req, res, chunks).catch((error: unknown) =>
        log.error({ err: error, requestId: state.requestId }, 'sending a response failed'),
      );
  };
}
