// Middleware that converts errors to responses, and a listener that logs errors.
import type { Context, Middleware } from 'koa';
import { AppError } from '../errors.js';
import { SUBSTITUTE_PAGE_FIELDS } from './pages/page-files.js';
import { errorReply, VARY_ACCEPT, type Reply } from './response/reply.js';
import { pathOf, type Log } from './observe.js';

/** Path prefixes of APIs. Errors below these paths are JSON, regardless of `Accept`. */
const API_PATH = /^\/(?:v1|auth|iconify|compat)\//;

interface Options {
  readonly notFoundPage?: string;
}

export function createErrors({ notFoundPage }: Options): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof AppError && error.logFields) context.state.logFields = error.logFields;
      context.app.emit('error', error, context);
      const appError = error instanceof AppError ? error : new AppError('internal_error');
      context.state.reply = failureReply(appError, context, notFoundPage);
    }
  };
}

/**
 * Returns an HTML page if a browser requests a URL without a route. Returns JSON in all other cases (`Accept`: RFC
 * 9110, section 12.5.1).
 */
function failureReply(error: AppError, context: Context, notFoundPage: string | undefined): Reply {
  // The connection must be closed, because Node would parse the unread rest of the body as the next request.
  const unread = context.req.complete ? [] : [{ Connection: 'close' }];
  if (error.code !== 'route_not_found' || API_PATH.test(context.req.url ?? '')) return errorReply(error, ...unread);
  if (notFoundPage === undefined || context.accepts('json', 'html') !== 'html')
    return errorReply(error, VARY_ACCEPT, ...unread);
  return { kind: 'reply', status: error.status, headers: [SUBSTITUTE_PAGE_FIELDS, ...unread], body: notFoundPage };
}

/**
 * Returns the listener of Koa's event `error`. An `AppError` is logged only if it has a `cause`, such as a failure of
 * the database. All other errors are logged.
 */
export function logError(log: Log): (error: unknown, context: Context) => void {
  return (error, context) => {
    const { req, state } = context;
    const fields = { err: error, requestId: state.requestId, ...state.logFields };
    if (!(error instanceof AppError)) log.error({ ...fields, method: req.method, path: pathOf(req) }, 'request failed');
    else if (error.cause !== undefined) log.error(fields, error.code);
  };
}
