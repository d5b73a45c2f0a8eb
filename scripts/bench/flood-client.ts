// Thread that floods the service with requests. The separate thread keeps the flood from delaying the measured
// requests.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Keys } from './service.js';

interface Request {
  readonly path: string;
  readonly method?: 'HEAD' | 'POST';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Flood {
  readonly connections: number;
  /** Pause of a connection between two requests, ms. */
  readonly pauseMs?: number;
  /** Time after which the client aborts a request, ms. Only every other request is aborted. */
  readonly resetAfterMs?: number;
  readonly request: (number: number, keys: Keys) => Request;
}

const WORDS = Array.from({ length: 50 }, (_, at) => 'abcdefghij'[at % 10]).join('+');
const KNOWN = 'github,docker,react,vuedotjs,python,go,rust,nodedotjs,npm,git'.split(',');
const SLUGS = Array.from({ length: 100 }, (_, at) => KNOWN[at % KNOWN.length]);
const COSTLY = ['vite', 'safari', 'gemini', 'linux', 'rolldown'];

const iconify = (path: string, more: Partial<Request> = {}) => ({
  connections: 32,
  request: (_: number, { publishable }: Keys) => ({ path: `/iconify/${publishable}${path}`, ...more }),
});
/**
 * Returns a sign-in with a wrong password. Each `number` gives another client address, so only the rate limits per
 * e-mail address can reject it.
 */
const wrongPassword = (number: number, email: string): Request => ({
  path: '/auth/login',
  method: 'POST',
  body: { email, password: 'not that pass phrase' },
  headers: { 'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` },
});

export const SLOW_SITES = 500;
export const slowSite = (number: number): string => `slow-${number % SLOW_SITES}.bench.internal`;

export const FLOODS = {
  'the costliest pictures': {
    connections: 100,
    // Without a pause, rejected requests would repeat as fast as the client can send them.
    pauseMs: 100,
    resetAfterMs: 1000,
    request: (number, { key }) => ({
      path: `/v1/png/${COSTLY[number % COSTLY.length]}?size=${2030 - (Math.floor(number / 40) % 200)}&scale=2&padding=${number % 40}`,
      headers: { 'X-API-Key': key },
    }),
  },
  'batches of 100 slugs': {
    connections: 32,
    request: (_, { key }) => ({
      path: '/v1/catalog/batch',
      method: 'POST',
      body: { slugs: SLUGS },
      headers: { 'X-API-Key': key },
    }),
  },
  'searches of several words': {
    connections: 32,
    request: (number, { key }) => ({
      path: `/v1/search?q=abcd+efgh+ijkl+mnop+${number}&limit=100`,
      headers: { 'X-API-Key': key },
    }),
  },
  'Iconify searches of 50 words': iconify(`/search?query=${WORDS}&limit=999`),
  'HEAD of these': iconify(`/search?query=${WORDS}&limit=999`, { method: 'HEAD' }),
  'pretty collections': iconify('/collection?prefix=blazon&pretty=1'),
  'first requests for slow sites': {
    connections: 64,
    pauseMs: 100,
    request: (number, { key }) => ({
      path: `/v1/logo/${slowSite(number)}?fallback=site,monogram&format=svg`,
      headers: { 'X-API-Key': key },
    }),
  },
  'wrong passwords for one e-mail address': {
    connections: 1000,
    pauseMs: 312,
    request: (number) => wrongPassword(number, 'bench-flood@example.com'),
  },
  'wrong passwords for ever other ones': {
    connections: 64,
    pauseMs: 20,
    request: (number) => wrongPassword(number, `flood-${number}@example.com`),
  },
} as const satisfies Readonly<Record<string, Flood>>;
export type FloodName = keyof typeof FLOODS;

interface Target {
  readonly name: FloodName;
  readonly base: string;
  readonly keys: Keys;
}

/** Starts a flood. Returns a function that ends the flood and resolves with the rate of responses by status. */
export function openFlood(target: Target): () => Promise<string> {
  const thread = new Worker(new URL(import.meta.url), { workerData: target });
  const startedMs = performance.now();
  return async () => {
    const counted = once(thread, 'message');
    thread.postMessage('stop');
    const [statuses] = (await counted) as [ReadonlyMap<number, number>];
    await thread.terminate();
    const seconds = (performance.now() - startedMs) / 1000;
    return [...statuses].map(([status, count]) => `${Math.round(count / seconds)} × ${status} a second`).join(', ');
  };
}

function send({ name, base, keys }: Target): ReadonlyMap<number, number> {
  const { connections, pauseMs = 0, resetAfterMs, request: requestOf }: Flood = FLOODS[name];
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses = new Map<number, number>();
  let number = 0;
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const mine = number++;
      const { path, method = 'GET', body, headers } = requestOf(mine, keys);
      const type = body && { 'Content-Type': 'application/json' };
      const sent = request(base + path, { agent, method, headers: { ...headers, ...type } }, (response) => {
        const status = response.statusCode ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        response.resume().once('close', resolve);
      });
      sent.once('error', () => resolve());
      sent.end(body && JSON.stringify(body));
      if (resetAfterMs !== undefined && mine % 2 === 0)
        setTimeout(() => sent.destroyed || sent.socket?.resetAndDestroy(), resetAfterMs);
    });
  const lane = async (): Promise<never> => {
    for (;;) {
      await one();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  for (let count = 0; count < connections; count++) void lane();
  return statuses;
}

if (!isMainThread && parentPort) {
  const statuses = send(workerData as Target);
  await once(parentPort, 'message');
  parentPort.postMessage(statuses);
}
