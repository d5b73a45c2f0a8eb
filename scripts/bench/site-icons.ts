// Measures SVG latency while another account asks for icons of sites that do not answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SVG } from './delivery.js';
import { FLOODS, openFlood, SLOW_SITES, slowSite } from './flood-client.js';
import { median, runLoad, type LoadResult } from './load.js';
import { withService, type MeasuredService } from './service.js';
import { limited, perSecond, round, type Row } from './table.js';

const NAME = 'first requests for slow sites';
/** Time from the start of the flood to the first sample, ms. In this time, all fetches of icons start. */
const WARM_UP_MS = 3000;
const SECONDS = 4;
const CONNECTIONS = 8;
const ROUNDS = 5;

export async function measureSlowSites(dataDir: string): Promise<Row[]> {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const origins = Array.from({ length: SLOW_SITES }, (_, at) => `${slowSite(at)}=${origin}`).join();
  try {
    return await withService({ DATA_DIR: dataDir, SITE_ICONS: 'on', SITE_ICON_ORIGINS: origins }, measure);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
}

/** Measures rounds alternately without and with a flood of requests for site icons, and compares the medians. */
async function measure({ base, headers, other }: MeasuredService): Promise<Row[]> {
  const load = () => runLoad({ base, headers, paths: [SVG], seconds: SECONDS, connections: CONNECTIONS });
  const [idle, busy]: [LoadResult[], LoadResult[]] = [[], []];
  let answers = '';
  for (let count = 0; count < ROUNDS; count++) {
    idle.push(await load());
    const stop = openFlood({ name: NAME, base, keys: other });
    await sleep(WARM_UP_MS);
    busy.push(await load());
    answers = await stop();
  }
  const p99 = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms));
  const rate = (results: readonly LoadResult[]) =>
    perSecond(median(results.map(({ requestsPerSecond }) => requestsPerSecond)));
  return [
    limited(`SVG p99 during ${NAME}, ${FLOODS[NAME].connections} at once`, p99(busy) / p99(idle), '×', {
      atMost: 2,
      measured: `${round(p99(busy))} ms, ${rate(busy)}; flood: ${answers}`,
      peer: `idle ${round(p99(idle))} ms, ${rate(idle)}`,
    }),
  ];
}
