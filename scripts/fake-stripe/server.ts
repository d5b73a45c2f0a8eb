// HTTP server of the fake: the API, and pages beside it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { findRoute, parametersOf, type Api, type ApiRequest } from './api.js';
import type { Reply } from './failures.js';
import type { PageReply, PageRequest } from './pages.js';
import { newId, type State } from './state.js';
import { loggedParameters, type Traffic } from './traffic.js';

const MAX_BODY_BYTES = 1_000_000;

export interface ServerOptions {
  readonly state: State;
  readonly api: Api;
  readonly traffic: Traffic;
  readonly reply: Reply;
  /** Of whatever is not the API. */
  readonly page: (request: PageRequest) => PageReply;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the body is too large');
  }
  return Buffer.concat(chunks).toString();
}

function headersOf(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name];
  return Array.isArray(value) ? value.join() : value;
}

async function serve(message: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const { state, api, traffic, reply: replyTo, page } = options;
  const { method = 'GET', url: target = '/' } = message;
  const path = target.split('?', 1)[0] ?? '';
  if (!path.startsWith('/v1/')) {
    const { status, headers, body } = page({ method, path, body: await readBody(message) });
    response.writeHead(status, headers).end(body);
    return;
  }

  const route = findRoute(method, path)?.route;
  const name = route ? `${route.method} ${route.path}` : 'unknown';
  const end = traffic.begin(name);
  try {
    const request: ApiRequest = {
      id: newId('req_', 14),
      method,
      target,
      authorization: headersOf(message, 'authorization'),
      idempotencyKey: headersOf(message, 'idempotency-key') ?? null,
      body: await readBody(message),
    };
    const { id, idempotencyKey } = request;
    const parameters = loggedParameters(parametersOf(request));
    const logged = {
      id,
      route: name,
      path: target,
      parameters,
      idempotencyKey,
      at: new Date(state.nowMs()),
      status: 0,
    };
    traffic.add(logged);
    const reply = await replyTo(name, () => api.answer(request));
    if (!reply) {
      message.socket.resetAndDestroy();
      return;
    }
    logged.status = reply.status;
    response.writeHead(reply.status, {
      'Content-Type': 'application/json',
      'Request-Id': id,
      'Stripe-Version': headersOf(message, 'stripe-version') ?? '',
      ...reply.headers,
    });
    response.end(reply.body);
  } finally {
    end();
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
