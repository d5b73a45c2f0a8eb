// The costliest requests of one account, and the latency of another account's SVG and of /healthz meanwhile.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, visit } from './load.js';
import { startService, type MeasuredService } from './service.js';
import { round, type Row } from './table.js';

const CONNECTIONS = 32;
const SECONDS = 5;
const WARM_UP_MS = 1000;
const PAUSE_MS = 5;
const WORDS = Array.from({ length: 50 }, (_, at) => 'abcdefghij'[at % 10]).join('+');
const SLUGS = 'github,docker,react,vuedotjs,python,go,rust,nodedotjs,npm,git'.split(',');

interface Ask {
  readonly path: string;
  readonly method?: 'HEAD' | 'POST';
  readonly body?: string;
}

/** Of an account without limits, so that nothing but the turns protects the others. */
export async function measureBurst(dataDir: string): Promise<Row[]> {
  const service = await startService(dataDir);
  try {
    const [key, publishable] = [await service.anotherKey(), await service.publishableKey()];
    const icons = `/iconify/${publishable}`;
    const slugs = Array.from({ length: 100 }, (_, at) => SLUGS[at % SLUGS.length]);
    const floods: readonly (readonly [name: string, ask: (number: number) => Ask])[] = [
      ['batches of 100', () => ({ path: '/v1/catalog/batch', method: 'POST', body: JSON.stringify({ slugs }) })],
      ['searches', (number) => ({ path: `/v1/search?q=abcd+efgh+ijkl+mnop+${number}&limit=100` })],
      ['Iconify searches', (number) => ({ path: `${icons}/search?query=${WORDS}&limit=999&start=${number % 900}` })],
      ['HEAD of Iconify searches', () => ({ path: `${icons}/search?query=${WORDS}&limit=999`, method: 'HEAD' })],
      ['pretty collections', () => ({ path: `${icons}/collection?prefix=blazon&pretty=1` })],
    ];
    const idle = await sample(service);
    const rows: Row[] = [];
    for (const [name, ask] of floods) {
      const stop = openFlood(service, key, ask);
      await sleep(WARM_UP_MS);
      const flooded = await sample(service);
      const answers = stop();
      for (const [what, goal] of [
        ['svg', 50],
        ['healthz', 20],
      ] as const)
        rows.push({
          what: `${what === 'svg' ? "another account's SVG" : '/healthz'}, p99, while one sends ${name} on ${CONNECTIONS} connections`,
          measured: `${round(percentile(flooded[what], 0.99))} ms, median ${round(percentile(flooded[what], 0.5))} ms; flood: ${answers}/s`,
          peer: `idle p99 ${round(percentile(idle[what], 0.99))} ms`,
          figure: percentile(flooded[what], 0.99),
          goal: { atMost: goal },
          unit: ' ms',
        });
    }
    return rows;
  } finally {
    await service.stop();
  }
}

async function sample({ base, headers }: MeasuredService): Promise<Record<'svg' | 'healthz', number[]>> {
  const agent = new Agent({ keepAlive: true });
  const times = { svg: [] as number[], healthz: [] as number[] };
  for (const until = performance.now() + SECONDS * 1000; performance.now() < until; await sleep(PAUSE_MS)) {
    times.svg.push((await visit(`${base}/v1/svg/github`, agent, headers)).ms);
    times.healthz.push((await visit(`${base}/healthz`, agent, {})).ms);
  }
  agent.destroy();
  return times;
}

/** Returns what ends it, and gives the answers a second. */
function openFlood({ base }: MeasuredService, key: string, ask: (number: number) => Ask): () => number {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedMs = performance.now();
  let number = 0;
  let answers = 0;
  let stopped = false;
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const { path, method = 'GET', body } = ask(number++);
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
  const lane = async (): Promise<void> => {
    while (!stopped) await one();
  };
  for (let count = 0; count < CONNECTIONS; count++) void lane();
  return () => {
    stopped = true;
    agent.destroy();
    return Math.round(answers / ((performance.now() - startedMs) / 1000));
  };
}
