// The costliest requests of one account, and the latency of another account's SVG and of /healthz meanwhile.
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { FLOODS, type Flood } from './burst-flood.js';
import { percentile, visit } from './load.js';
import { startService, type MeasuredService } from './service.js';
import { round, type Row } from './table.js';

const CONNECTIONS = 32;
const SECONDS = 5;
const WARM_UP_MS = 1000;
const PAUSE_MS = 5;
/** Of an account without limits, so that nothing but the turns protects the others. */
export async function measureBurst(dataDir: string): Promise<Row[]> {
  const service = await startService(dataDir);
  try {
    const [key, publishable] = [await service.anotherKey(), await service.publishableKey()];
    const idle = await sample(service);
    const rows: Row[] = [];
    for (const name of FLOODS) {
      const stop = openFlood({ base: service.base, key, publishable, connections: CONNECTIONS, name });
      await sleep(WARM_UP_MS);
      const flooded = await sample(service);
      const answers = await stop();
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
  const until = performance.now() + SECONDS * 1000;
  while (performance.now() < until) {
    await sleep(PAUSE_MS);
    times.svg.push((await visit(`${base}/v1/svg/github`, agent, headers)).ms);
    times.healthz.push((await visit(`${base}/healthz`, agent, {})).ms);
  }
  agent.destroy();
  return times;
}

/** In a thread, whose reading delays no sample. Returns what ends it, and gives the answers a second. */
function openFlood(flood: Flood): () => Promise<number> {
  const thread = new Worker(new URL('./burst-flood.js', import.meta.url), { workerData: flood });
  return async () => {
    const counted = once(thread, 'message');
    thread.postMessage('stop');
    const [answersPerSecond] = (await counted) as [number];
    await thread.terminate();
    return answersPerSecond;
  };
}
