// Koa application: the middleware that every request passes, in order.
import type { RequestListener } from 'node:http';
import Koa from 'koa';
import type { StartPage } from '../catalog/start-page.routes.js';
import { rejectUnusable } from '../platform/http/request/request-head.js';
import { requestId } from '../platform/http/request/request-id.js';
import { codeContent } from '../platform/http/response/content-coding.js';
import { createCors } from './cors.js';
import { createErrors, logError } from '../platform/http/errors.js';
import { createObserver, type AnsweredRequest, type Log } from '../platform/http/observe.js';
import { createRespond } from '../platform/http/respond.js';
import { createRouter, unrouted, type RouterOptions } from './router.js';

interface AppOptions extends RouterOptions {
  readonly log: Log;
  /** PUBLIC_URL without a trailing slash. */
  readonly origin: string;
  /** Number of trusted proxies in front of the service. Only entries of these proxies in X-Forwarded-For are used. */
  readonly trustedProxies: number;
  /** Returns true while the service shuts down. Every response then has the header `Connection: close`. */
  readonly isDraining: () => boolean;
  /** HTML page for browsers that request a URL without a route; undefined to send JSON to browsers, too. */
  readonly notFoundPage?: string;
  /** Page that replaces all other pages until the catalog is imported; undefined if there is no replacement. */
  readonly startPage?: StartPage;
  readonly onAnswer?: (request: AnsweredRequest) => void;
}

export function createHttpApp(options: AppOptions): RequestListener {
  const { routes, trustedProxies } = options;
  const app = new QuietKoa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.on('error', logError(options.log));
  app.use(requestId);
  app.use(createObserver(options));
  app.use(createRespond(options));
  app.use(createCors(routes));
  app.use(createErrors(options));
  app.use(rejectUnusable);
  app.use(codeContent);
  app.use(createRouter(options));
  app.use(unrouted);
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

/**
 * Koa without two of its steps. It does not watch whether the connection breaks during a response, because this takes 7
 * % of the time of GET /v1/svg/{slug}. It does not call Koa's `respond`, because `respond.ts` writes the response.
 */
class QuietKoa extends Koa {
  handleRequest(context: Koa.Context, middleware: (context: Koa.Context) => Promise<void>): Promise<void> {
    return middleware(context).catch((error: unknown) => context.onerror(error as Error));
  }
}
