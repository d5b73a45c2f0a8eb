// HTTP server of the fake: the API with counts of its requests, and pages beside it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { findRoute, type Api } from './api.js';
import type { Reply } from './failures.js';
import { newId } from './ids.js';
import type { PageReply, PageRequest } from './pages.js';

export interface RouteCount {
  requests: number;
  underWay: number;
  /** Most at the same time: of requests that are answered at once, hardly ever two; measure with `slow` or `hold`. */
  maxConcurrent: number;
}

export interface ServerOptions {
  readonly api: Api;
  /** By route, such as `GET /v1/subscriptions`. */
  readonly counts: Map<string, RouteCount>;
  readonly reply: Reply;
  /** Of whatever is not the API. */
  readonly page: (request: PageRequest) => PageReply;
}

async function serve(message: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const { api, counts, reply: replyTo, page } = options;
  const { method = 'GET', url: target = '/', headers } = message;
  const path = target.split('?', 1)[0] ?? '';
  if (!path.startsWith('/v1/')) {
    const answer = page({ method, path, body: await text(message) });
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  const route = findRoute(method, path)?.route;
  const name = route ? `${route.method} ${route.path}` : 'unknown';
  const count = counts.get(name) ?? { requests: 0, underWay: 0, maxConcurrent: 0 };
  counts.set(name, count);
  count.requests += 1;
  count.underWay += 1;
  count.maxConcurrent = Math.max(count.maxConcurrent, count.underWay);
  try {
    const { authorization, 'idempotency-key': key } = headers;
    const request = { method, target, authorization, idempotencyKey: key?.toString(), body: await text(message) };
    const reply = await replyTo(name, () => api.answer(request));
    if (!reply) message.socket.resetAndDestroy();
    else
      response
        .writeHead(reply.status, { 'Content-Type': 'application/json', 'Request-Id': newId('req_', 14) })
        .end(reply.body);
  } finally {
    count.underWay -= 1;
  }
}

/** On 127.0.0.1; 0 is a free port. */
export async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function answerRequests(server: Server, options: ServerOptions): void {
  server.on('request', (message, response) => {
    serve(message, response, options).catch((error: unknown) => message.destroy(error as Error));
  });
}
