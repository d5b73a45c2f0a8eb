// HTTP server of the fake: credentials, idempotency keys, routes and errors of the API, and pages beside it.
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { ApiError, newId } from './objects.js';
import type { PageReply, PageRequest } from './pages.js';
import { readParameters } from './parameters.js';
import { findRoute } from './routes.js';
import type { State } from './state.js';

interface Options {
  readonly state: State;
  readonly secretKey: string;
  /** What is answered; undefined: the connection is reset. */
  readonly around: (route: string, execute: () => string) => Promise<string | undefined>;
  /** Answers whatever is not the API. */
  readonly page: (request: PageRequest) => PageReply;
}

/** On 127.0.0.1; 0 is a free port. */
export async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Returns how many requests each route has had so far. */
export function answerRequests(server: Server, options: Options): ReadonlyMap<string, { readonly requests: number }> {
  const counts = new Map<string, { requests: number }>();
  const answer = createApi(options);
  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = message;
    const [path = '', query = ''] = url.split('?', 2);
    const body = await text(message);
    if (!path.startsWith('/v1/')) {
      const reply = options.page({ method, path, body });
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const name = findRoute(method, path)?.route.name ?? 'unknown';
    counts.set(name, { requests: (counts.get(name)?.requests ?? 0) + 1 });
    const fields = { 'Content-Type': 'application/json', 'Request-Id': newId('req_', 14) };
    try {
      const reply = await options.around(name, () => answer({ method, path, query, body, headers }));
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

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Throws `ApiError`. */
function createApi({ state, secretKey }: Options): (call: Call) => string {
  /** Answers by idempotency key. Errors are not kept: all of them are found before anything is changed. */
  const kept = new Map<string, { readonly request: string; readonly reply: string }>();

  function run({ method, path, query, body }: Call): string {
    const { route, id } = findRoute(method, path) ?? {};
    if (!route || id === undefined)
      throw new ApiError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${path}).`,
      });
    return JSON.stringify(route.run({ state, parameters: readParameters(route.known, query, body), id }));
  }

  return (call) => {
    const { authorization, 'idempotency-key': key } = call.headers;
    if (authorization !== `Bearer ${secretKey}`)
      throw new ApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
    if (key === undefined || call.method !== 'POST') return run(call);
    const request = `${call.path} ${call.body}`;
    const first = kept.get(String(key));
    if (first && first.request !== request) {
      const message = 'Keys for idempotent requests can only be used with the parameters of their first request.';
      throw new ApiError(400, { type: 'idempotency_error', message });
    }
    const reply = first?.reply ?? run(call);
    kept.set(String(key), { request, reply });
    return reply;
  };
}
