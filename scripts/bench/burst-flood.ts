// Thread that sends the costliest requests of one account, as fast as they are answered.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

export const FLOODS = [
  'batches of 100',
  'searches',
  'Iconify searches',
  'HEAD of Iconify searches',
  'pretty collections',
] as const;

export interface Flood {
  readonly name: (typeof FLOODS)[number];
  readonly base: string;
  readonly key: string;
  readonly publishable: string;
  readonly connections: number;
}

interface Ask {
  readonly path: string;
  readonly method?: 'HEAD' | 'POST';
  readonly body?: string;
}

const WORDS = Array.from({ length: 50 }, (_, at) => 'abcdefghij'[at % 10]).join('+');
const KNOWN = 'github,docker,react,vuedotjs,python,go,rust,nodedotjs,npm,git'.split(',');
const SLUGS = Array.from({ length: 100 }, (_, at) => KNOWN[at % KNOWN.length]);

function askOf({ name, publishable }: Flood, number: number): Ask {
  const icons = `/iconify/${publishable}`;
  switch (name) {
    case 'batches of 100':
      return { path: '/v1/catalog/batch', method: 'POST', body: JSON.stringify({ slugs: SLUGS }) };
    case 'searches':
      return { path: `/v1/search?q=abcd+efgh+ijkl+mnop+${number}&limit=100` };
    case 'Iconify searches':
      return { path: `${icons}/search?query=${WORDS}&limit=999&start=${number % 900}` };
    case 'HEAD of Iconify searches':
      return { path: `${icons}/search?query=${WORDS}&limit=999`, method: 'HEAD' };
    case 'pretty collections':
      return { path: `${icons}/collection?prefix=blazon&pretty=1` };
  }
}

/** Returns the answers a second so far. */
function send(flood: Flood): () => number {
  const { base, key, connections } = flood;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedMs = performance.now();
  let number = 0;
  let answers = 0;
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const { path, method = 'GET', body } = askOf(flood, number++);
      const headers = {
        ...(!path.startsWith('/iconify') && { 'X-API-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const sent = request(base + path, { agent, method, headers }, (response) => {
        answers++;
        response.resume().once('close', resolve);
      });
      sent.once('error', () => {
        resolve();
      });
      sent.end(body);
    });
  const lane = async (): Promise<never> => {
    for (;;) await one();
  };
  for (let count = 0; count < connections; count++) void lane();
  return () => Math.round(answers / ((performance.now() - startedMs) / 1000));
}

if (!isMainThread && parentPort) {
  const perSecond = send(workerData as Flood);
  await once(parentPort, 'message');
  parentPort.postMessage(perSecond());
}
