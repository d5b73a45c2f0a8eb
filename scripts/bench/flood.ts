// Flood by one account with the most expensive pictures, and the latency of another account's cold pictures meanwhile.
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, visit } from './load.js';
import { startService, type MeasuredService } from './service.js';
import { round, type Row } from './table.js';

const CONNECTIONS = 100;
const FLOOD_SECONDS = 30;
/** Before the first sample, so that every queue is full. */
const WARM_UP_MS = 3000;
const RESET_AFTER_MS = 1000;
/** Between two samples. */
const PAUSE_MS = 100;
const SLUGS = ['vite', 'safari', 'gemini', 'linux', 'rolldown'];

export async function measureDrawingFlood(dataDir: string): Promise<Row[]> {
  const service = await startService(dataDir);
  try {
    const flooder = await service.anotherKey();
    const idle = await sample(service, 8, 2);
    const stop = openFlood(service, flooder);
    await sleep(WARM_UP_MS);
    const flooded = await sample(service, 600, FLOOD_SECONDS);
    const answers = stop();
    return (['png', 'svg'] as const).map((format) => ({
      what:
        `another account's cold ${format.toUpperCase()}, p99, while one asks for the dearest pictures on ` +
        `${CONNECTIONS} connections`,
      measured:
        `${round(percentile(flooded[format], 0.99))} ms, median ${round(percentile(flooded[format], 0.5))} ms, ` +
        `${flooded[format].length} pictures; flood: ${answers}`,
      peer: `idle p99 ${round(percentile(idle[format], 0.99))} ms`,
      figure: percentile(flooded[format], 0.99),
      goal: { atMost: 1000 },
      unit: ' ms',
    }));
  } finally {
    await service.stop();
  }
}

/** Cold pictures one after the other, PNG and SVG in turn; `first` is a size that was not asked for yet. */
async function sample(
  { base, headers }: MeasuredService,
  first: number,
  seconds: number,
): Promise<Record<'png' | 'svg', number[]>> {
  const agent = new Agent({ keepAlive: true });
  const times = { png: [] as number[], svg: [] as number[] };
  const until = performance.now() + seconds * 1000;
  for (let size = first; performance.now() < until; size++) {
    for (const format of ['png', 'svg'] as const) {
      const { ms, status, url } = await visit(
        `${base}/v1/${format}/github?width=${200 + (size % 200)}&height=${size}`,
        agent,
        headers,
      );
      if (status !== 200) throw new Error(`${url} answered ${status}`);
      times[format].push(ms);
    }
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return times;
}

/**
 * Every other request is reset after a second, the others are read. Returns what ends it and lists the answers by
 * status.
 */
function openFlood({ base }: MeasuredService, key: string): () => string {
  const { hostname, port, host } = new URL(base);
  const statuses = new Map<string, number>();
  const sockets = new Set<Socket>();
  let number = 0;
  let stopped = false;

  async function ask(): Promise<void> {
    const mine = number++;
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.add(socket);
    await once(socket, 'connect');
    const size = 2030 - (Math.floor(mine / 40) % 200);
    const path = `/v1/png/${SLUGS[mine % SLUGS.length]}?size=${size}&scale=2&padding=${mine % 40}`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
    socket.once('data', (answer: Buffer) => {
      const status = answer.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    socket.resume();
    if (mine % 2 === 0) setTimeout(() => socket.resetAndDestroy(), RESET_AFTER_MS);
    await once(socket, 'close');
    sockets.delete(socket);
    // A flood that is answered at once would measure its own client.
    await sleep(PAUSE_MS);
  }

  const lane = async (): Promise<void> => {
    while (!stopped) await ask().catch(() => undefined);
  };
  for (let count = 0; count < CONNECTIONS; count++) void lane();
  return () => {
    stopped = true;
    for (const socket of sockets) socket.destroy();
    return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ') || 'no answers';
  };
}
