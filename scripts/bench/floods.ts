// Measures the latency of one account during a flood of requests. The flood comes from another account, or from clients
// without an account.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SVG } from './delivery.js';
import { FLOODS, openFlood, type FloodName } from './flood-client.js';
import { median, percentile, runLoad, visit, type LoadResult } from './load.js';
import type { MeasuredService } from './service.js';
import { limited, perSecond, round, type Row } from './table.js';

/** Time from the start of the flood to the first sample, ms. In this time, the flood fills every queue. */
const WARM_UP_MS = 3000;
const LATENCY_SECONDS = 4;
const LATENCY_CONNECTIONS = 8;
const ROUNDS = 5;

interface Samples<Name extends string> {
  /** Kind of request → function that returns the path for a round. */
  readonly paths: Readonly<Record<Name, (turn: number) => string>>;
  readonly seconds: number;
  /** Pause between two rounds, ms. */
  readonly pauseMs: number;
}

/** Sends one request at a time. Returns the times of the requests, ms. */
async function sample<Name extends string>(
  { base, headers }: MeasuredService,
  { paths, seconds, pauseMs }: Samples<Name>,
): Promise<Record<Name, number[]>> {
  const agent = new Agent({ keepAlive: true });
  const names = Object.keys(paths) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const untilMs = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < untilMs; turn++) {
    for (const name of names) times[name].push((await visit(base + paths[name](turn), { agent, headers })).ms);
    await sleep(pauseMs);
  }
  agent.destroy();
  return times;
}

/** Measures the latency without and with the flood `name`. `atMost` contains the goals, ms. */
async function measureLatency<Name extends string>(
  service: MeasuredService,
  name: FloodName,
  { idle, flooded, atMost }: { idle: Samples<Name>; flooded: Samples<Name>; atMost: Readonly<Record<Name, number>> },
): Promise<Row[]> {
  const before = await sample(service, idle);
  const stop = openFlood({ name, base: service.base, keys: service.other });
  await sleep(WARM_UP_MS);
  const times = await sample(service, flooded);
  const answers = await stop();
  return (Object.keys(times) as Name[]).map((path) =>
    limited(
      `${path}, p99, while another account sends ${name} on ${FLOODS[name].connections} connections`,
      percentile(times[path], 0.99),
      ' ms',
      {
        atMost: atMost[path],
        measured: `${round(percentile(times[path], 0.99))} ms, median ${round(median(times[path]))} ms; flood: ${answers}`,
        peer: `idle p99 ${round(percentile(before[path], 0.99))} ms`,
      },
    ),
  );
}

/** Measures uncached pictures: each round requests another size. */
export async function measurePictureFlood(service: MeasuredService): Promise<Row[]> {
  const at = (format: string, first: number) => (turn: number) =>
    `/v1/${format}/github?width=${200 + (turn % 200)}&height=${first + turn}`;
  const samples = (first: number, seconds: number) => ({
    paths: { 'a cold PNG': at('png', first), 'a cold SVG': at('svg', first) },
    seconds,
    pauseMs: 100,
  });
  return measureLatency(service, 'the costliest pictures', {
    idle: samples(8, 2),
    flooded: samples(600, 30),
    atMost: { 'a cold PNG': 1000, 'a cold SVG': 1000 },
  });
}

export async function measureBurst(service: MeasuredService): Promise<Row[]> {
  const samples = { paths: { 'an SVG': () => SVG, '/healthz': () => '/healthz' }, seconds: 5, pauseMs: 5 };
  const floods = ['batches of 100 slugs', 'searches of several words', 'Iconify searches of 50 words'] as const;
  const rows: Row[] = [];
  for (const name of [...floods, 'HEAD of these', 'pretty collections'] as const)
    rows.push(
      ...(await measureLatency(service, name, {
        idle: samples,
        flooded: samples,
        atMost: { 'an SVG': 50, '/healthz': 20 },
      })),
    );
  return rows;
}

/** Measures rounds alternately without and with a flood, and compares the medians. */
export async function measurePasswordFloods(service: MeasuredService): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of ['wrong passwords for one e-mail address', 'wrong passwords for ever other ones'] as const) {
    const { base, headers } = service;
    const load = () =>
      runLoad({ base, headers, paths: [SVG], seconds: LATENCY_SECONDS, connections: LATENCY_CONNECTIONS });
    const [idle, busy]: [LoadResult[], LoadResult[]] = [[], []];
    let answers = '';
    for (let count = 0; count < ROUNDS; count++) {
      idle.push(await load());
      const stop = openFlood({ name, base, keys: service.other });
      await sleep(WARM_UP_MS);
      busy.push(await load());
      answers = await stop();
    }
    const p99 = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms));
    const rate = (results: readonly LoadResult[]) =>
      perSecond(median(results.map(({ requestsPerSecond }) => requestsPerSecond)));
    rows.push(
      limited(`SVG p99 during ${name}, ${FLOODS[name].connections} at once`, p99(busy) / p99(idle), '×', {
        atMost: 2,
        measured: `${round(p99(busy))} ms, ${rate(busy)}; sign-ins: ${answers}`,
        peer: `idle ${round(p99(idle))} ms, ${rate(idle)}`,
      }),
    );
  }
  return rows;
}
