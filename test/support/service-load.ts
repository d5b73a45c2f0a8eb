// Steady load on service processes. Each connection sends one request at a time, without retries.
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ICONS } from './service-cluster.js';

export interface LoadAnswer {
  /** HTTP status, or the error code if the connection failed. */
  readonly status: number | string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Ask {
  readonly agent: Agent;
  readonly headers?: Readonly<Record<string, string>>;
}

const HANG_MS = 45_000;
const PAUSE_MS = 10;

/** Sends one request. Never rejects: without a response after 45 s, the status is `ETIMEDOUT`. */
export function askOnce(address: string, { agent, headers = {} }: Ask): Promise<LoadAnswer> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve({ status: error.code ?? error.message, headers: {}, body: '' });
    const asked = request(address, { agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', failed);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('error', failed);
    asked.setTimeout(HANG_MS, () => asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    asked.end();
  });
}

export type Load = ReturnType<typeof startLoad>;

const PICTURES = ICONS.map((slug) => `/v1/svg/${slug}`);

interface LoadOptions {
  readonly apiKey: string;
  readonly next: (connection: number) => string;
  /** Paths of the requests, in rotation. Defaults to pictures. */
  readonly paths?: readonly string[];
}

/** Opens `connections` connections and sends requests, with pauses. `next` returns the base URL for each request. */
export function startLoad(connections: number, { apiKey, next, paths = PICTURES }: LoadOptions) {
  const others: Record<string, number> = {};
  let answered = 0;
  let isOver = false;
  const headers = { 'X-API-Key': apiKey };
  const clients = Array.from({ length: connections }, async (_, connection) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      const path = paths[answered % paths.length] ?? '';
      // Iconify paths contain the publishable key and need no header.
      const own = path.startsWith('/iconify/') ? {} : headers;
      const { status, body } = await askOnce(`${next(connection)}${path}`, { agent, headers: own });
      answered += 1;
      if (status !== 200) {
        const outcome = `${status} ${body}`;
        others[outcome] = (others[outcome] ?? 0) + 1;
      }
      // Leaves processor time for the processes that start meanwhile.
      await sleep(PAUSE_MS);
    }
    agent.destroy();
  });
  return {
    answered: (): number => answered,
    others: (): Readonly<Record<string, number>> => others,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(clients);
    },
  };
}
