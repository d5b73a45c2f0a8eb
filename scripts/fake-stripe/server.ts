// HTTP server of the fake: credentials, idempotency keys, API routes, API errors and pages.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApiError, newId } from './objects.js';
import type { PageReply, PageRequest } from './pages.js';
import { findRoute } from './routes.js';
import type { State } from './state.js';

interface Options {
  readonly state: State;
  readonly secretKey: string;
  /**
   * Executes a request with the failure that a test has turned on, if there is one. Returns the response, or undefined
   * to reset the connection.
   */
  readonly around: (route: string, execute: () => string) => Promise<string | undefined>;
  /** Returns the response to a request for a page, which is not part of the API. */
  readonly page: (request: PageRequest) => PageReply;
}

/** Listens on 127.0.0.1. Port 0 selects a free port. */
export async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Responds to all requests. Returns a map that is updated with each request: route → number of requests. */
export function answerRequests(
  server: Server,
  { state, secretKey, around, page }: Options,
): ReadonlyMap<string, { readonly requests: number }> {
  const counts = new Map<string, { requests: number }>();
  const once = createIdempotency();

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = message;
    const [path = '', query = ''] = url.split('?', 2);
    const body = await text(message);
    if (!path.startsWith('/v1/')) {
      const reply = page({ method, path, body });
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const route = findRoute(method, path);
    const name = route?.name ?? 'unknown';
    counts.set(name, { requests: (counts.get(name)?.requests ?? 0) + 1 });
    const execute = (): string => {
      if (headers.authorization !== `Bearer ${secretKey}`)
        throw new ApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
      if (!route) throw unrecognized(method, path);
      const key = method === 'POST' ? headers['idempotency-key'] : undefined;
      return once(key, `${path} ${body}`, () => JSON.stringify(route.run(state, query, body)));
    };
    const fields = { 'Content-Type': 'application/json', 'Request-Id': newId('req_', 14) };
    try {
      const reply = await around(name, execute);
      if (reply === undefined) message.socket.resetAndDestroy();
      else response.writeHead(200, fields).end(reply);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      response.writeHead(error.status, fields).end(JSON.stringify({ error: error.fields }));
    }
  }

  server.on('request', (message, response) => {
    serve(message, response).catch((error: unknown) => message.destroy(error as Error));
  });
  return counts;
}

function unrecognized(method: string, path: string): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

/**
 * Creates a function that returns the first response again for a repeated idempotency key. Errors are not stored,
 * because a failed request changes nothing.
 */
function createIdempotency() {
  const replies = new Map<string, { readonly request: string; readonly reply: string }>();
  return (key: string | string[] | undefined, request: string, execute: () => string): string => {
    if (key === undefined) return execute();
    const first = replies.get(String(key));
    if (first && first.request !== request) {
      const message = 'Keys for idempotent requests can only be used with the parameters of their first request.';
      throw new ApiError(400, { type: 'idempotency_error', message });
    }
    const reply = first?.reply ?? execute();
    replies.set(String(key), { request, reply });
    return reply;
  };
}
