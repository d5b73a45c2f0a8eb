// A tiny service in this process that keeps every rule of a fuzz trial, or breaks the one that a test chooses.
import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { BUCKETS } from '../../src/domain/metering/plan.js';
import type { Target } from '../../scripts/fuzz/target.js';
import { temporaryDir } from './temporary.js';

/** What goes wrong. The first go wrong with pictures, the others around them. */
export const FAULTS = [
  'answers 500',
  'is busy without Retry-After',
  'hangs',
  'closes without an answer',
  'answers bytes that are no HTTP',
  'answers a large error',
  'answers HTML',
  'caches errors',
  'answers an unknown code',
  'answers a code with another status',
  'sends a body to HEAD',
  'repeats the key',
  'counts too much',
  'logs the key',
  'logs an error',
  'writes to stderr',
  'stops listening',
  'is not ready',
  'takes too much memory',
  'ends with 1',
  'does not end',
] as const;
export type Fault = (typeof FAULTS)[number];

const DOCUMENT = {
  paths: {
    '/v1/svg/{slug}': {
      get: { security: [{ apiKey: [] }], parameters: [{ name: 'slug', schema: { example: 'github' } }] },
    },
  },
};
const PICTURE = '/v1/svg/github';
const USUAL_MB = 50;

export interface FaultyService extends Target {
  remove(): void;
}

export async function startFaultyService(fault?: Fault): Promise<FaultyService> {
  const { path: folder, remove } = temporaryDir();
  const [logFile, errorFile] = [join(folder, 'log'), join(folder, 'errors')];
  writeFileSync(
    logFile,
    fault === 'logs an error' ? '{"level":50,"msg":"request failed"}\n' : '{"level":30,"msg":"started"}\n',
  );
  writeFileSync(errorFile, fault === 'writes to stderr' ? '(node:1) Warning: something is wrong\n' : '');
  const sockets = new Set<Duplex>();
  /** Pictures by API key. */
  const used = new Map<string, number>();
  let pictures = 0;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const key = headers['x-api-key'];
    if (url === '/openapi.json') send(response, 200, DOCUMENT);
    else if (method === 'POST' && url === '/auth/register') register(response);
    else if (url === '/v1/usage') sendUsage(response, String(key));
    else if (url === '/healthz' || url === '/readyz') probe(request, response);
    else if (!url.startsWith('/v1/svg/')) reject(response, 404, 'route_not_found');
    else picture(request, response);
  }

  function register(response: ServerResponse): void {
    const apiKey = newKey();
    used.set(apiKey, 0);
    response.setHeader('Set-Cookie', [`session=${token()}; Path=/`, `device=${token()}; Path=/`]);
    send(response, 201, { apiKey, accessToken: `head.claims.${token()}` });
  }

  function sendUsage(response: ServerResponse, key: string): void {
    const endpoints = Object.fromEntries(
      BUCKETS.map((bucket) => [bucket, { used: bucket === 'svg' ? used.get(key) : 0 }]),
    );
    send(response, 200, { date: new Date().toISOString().slice(0, 10), endpoints });
  }

  function probe({ method, url, rawHeaders }: IncomingMessage, response: ServerResponse): void {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts !== 1 || (method !== 'GET' && method !== 'HEAD')) reject(response, 400, 'invalid_request');
    else if (fault === 'is not ready' && url === '/readyz') reject(response, 503, 'unavailable');
    else send(response, 200, { status: 'alive' });
  }

  function picture(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const key = String(headers['x-api-key']);
    pictures += 1;
    if (fault === 'stops listening' && pictures === 20) stop();
    if (fault === 'logs the key') appendFileSync(logFile, `{"level":30,"url":${JSON.stringify(url)},"key":"${key}"}\n`);
    if (misbehaves(request, response)) return;
    if (method !== 'GET' && method !== 'HEAD') reject(response, 405, 'method_not_allowed');
    else if (!used.has(key) || headers.authorization !== undefined) reject(response, 401, 'invalid_api_key');
    else if (url !== PICTURE) reject(response, 400, 'invalid_request');
    else give(response, key, method);
  }

  function give(response: ServerResponse, key: string, method: string): void {
    if (method === 'GET' || fault === 'counts too much') used.set(key, (used.get(key) ?? 0) + 1);
    send(response, 200, { svg: true });
  }

  function misbehaves(request: IncomingMessage, response: ServerResponse): boolean {
    const misbehave = fault && WRONG_ANSWERS[fault];
    if (!misbehave || (fault === 'sends a body to HEAD' && request.method !== 'HEAD')) return false;
    misbehave(request, response);
    return true;
  }

  const server = createServer({ requireHostHeader: false }, handle);
  server.on('checkExpectation', handle);
  server.on(
    'connection',
    (socket: Socket) =>
      void sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())),
  );
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket: Socket) =>
    rejectBytes(socket, error.rawPacket?.toString('latin1').startsWith('HEAD ') === true),
  );
  server.on('connect', (_, socket: Socket) => rejectBytes(socket, false));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  function rejectBytes(socket: Socket, isHead: boolean): void {
    if (!socket.writable || socket.bytesWritten > 0) socket.destroy();
    else {
      const body = JSON.stringify({ error: 'invalid_request', message: 'no HTTP' });
      socket.end(
        `HTTP/1.1 400 Bad Request\r\n${headText()}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${isHead ? '' : body}`,
        () => socket.destroy(),
      );
    }
  }

  function stop(): void {
    server.close();
    for (const socket of sockets) socket.destroy();
  }

  return {
    port,
    logFile,
    errorFile,
    makeUnlimited: () => Promise.resolve(),
    isRunning: () => true,
    peakMemoryMb: () => (fault === 'takes too much memory' ? USUAL_MB * 100 : USUAL_MB),
    end: () => Promise.resolve({ code: fault === 'ends with 1' ? 1 : 0, wasKilled: fault === 'does not end' }),
    remove() {
      stop();
      // Its log is meant to hold secrets.
      for (const file of [logFile, errorFile]) rmSync(file, { force: true });
      remove();
    },
  };
}

const token = () => randomBytes(32).toString('base64url');
const newKey = () => `blz_${randomBytes(27).toString('hex')}`;

const ERROR_HEAD = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Request-Id': 'some-request',
};
const headText = () =>
  Object.entries(ERROR_HEAD)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

function reject(
  response: ServerResponse,
  status: number,
  error: string,
  { fields = {}, message = 'no' }: { fields?: Record<string, string>; message?: string } = {},
): void {
  response.shouldKeepAlive = false;
  response.writeHead(status, { ...ERROR_HEAD, 'Retry-After': '1', ...fields }).end(JSON.stringify({ error, message }));
}

/** The faults that are seen in an answer. */
const WRONG_ANSWERS: Readonly<Partial<Record<Fault, (request: IncomingMessage, response: ServerResponse) => void>>> = {
  'answers 500': (_, response) => reject(response, 500, 'internal_error'),
  'is busy without Retry-After': (_, response) => reject(response, 503, 'busy', { fields: { 'Retry-After': '' } }),
  hangs: () => undefined,
  'closes without an answer': ({ socket }) => void socket.destroy(),
  'answers bytes that are no HTTP': ({ socket }) => void socket.end('what?\r\n\r\n'),
  'answers a large error': (_, response) => reject(response, 400, 'invalid_request', { message: 'x'.repeat(9000) }),
  'answers HTML': (_, response) =>
    void response.writeHead(400, { ...ERROR_HEAD, 'Content-Type': 'text/html' }).end('<h1>Bad Request</h1>'),
  'caches errors': (_, response) =>
    reject(response, 400, 'invalid_request', { fields: { 'Cache-Control': 'max-age=60' } }),
  'answers an unknown code': (_, response) => reject(response, 400, 'bad_luck'),
  'answers a code with another status': (_, response) => reject(response, 400, 'gone'),
  'repeats the key': ({ headers }, response) =>
    reject(response, 400, 'invalid_request', { message: `${String(headers['x-api-key'])} is no good` }),
  'sends a body to HEAD': ({ socket }) =>
    void socket.end(`HTTP/1.1 400 Bad Request\r\n${headText()}Connection: close\r\nContent-Length: 2\r\n\r\n{}`),
};

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
