// Middleware: writes one log line and one metrics record per response.
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

/** Methods of the logger that this module calls. */
export interface Log {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

export interface AnsweredRequest {
  /** Path pattern of the matched route, such as `/v1/svg/{slug}`; `unrouted` if there is none. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

interface Options {
  readonly log: Log;
  readonly onAnswer?: (request: AnsweredRequest) => void;
}

export function createObserver({ log, onAnswer }: Options): Middleware {
  const isLogged = log.isLevelEnabled('info');
  const isQuietLogged = log.isLevelEnabled('debug');
  return async (context, next) => {
    const startedMs = performance.now();
    await next();
    const ms = performance.now() - startedMs;
    const { req, res, state } = context;
    const { method = '' } = req;
    const { statusCode: status } = res;
    if (state.isQuiet ? isQuietLogged : isLogged)
      log.info(
        {
          requestId: state.requestId,
          ...state.logFields,
          ...{ method, path: pathOf(req), status, ms: Math.round(ms * 10) / 10 },
        },
        'answered',
      );
    onAnswer?.({ route: state.route ?? 'unrouted', method, status, seconds: ms / 1000 });
  };
}

/**
 * Matches path segments with more than 40 characters. They may be keys, which have 54 characters, or tokens, which have
 * more.
 */
const LONG_SEGMENT = /\/[^/]{41,}/g;

/** Returns the path for the log, without the query and without segments that may be keys or tokens. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path.replaceAll(LONG_SEGMENT, '/…');
}
