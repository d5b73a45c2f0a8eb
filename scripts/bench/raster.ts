// Cold pictures against IPX, and SVG delivery while every drawing thread is busy.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { median, percentile, visit, visitAll, type Visit } from './load.js';
import { peersFolder, startIpx } from './peers.js';
import type { MeasuredService } from './service.js';
import { perSecond, round, type Row } from './table.js';

const PICTURES = 300;
const AT_ONCE = 16;
const ROUNDS = 3;

interface Entry {
  readonly slug: string;
  readonly variants: readonly { readonly recolorable: boolean; readonly colors: readonly string[] }[];
}

export async function measureRaster(service: MeasuredService): Promise<Row[]> {
  const slugs = await colourLogos(service);
  const folder = `${peersFolder}pictures/`;
  mkdirSync(folder, { recursive: true });
  for (const slug of slugs) {
    const svg = await (await fetch(`${service.base}/v1/svg/${slug}`, { headers: service.headers })).text();
    writeFileSync(`${folder}${slug}.svg`, svg);
  }
  const ipx = await startIpx(folder, `/f_png,w_64/${slugs[0] ?? ''}.svg`);
  const rows: Row[] = [];
  try {
    for (const [format, atLeast] of [['png', 2.5], ['webp', 4]] as const) {
      rows.push(...(await compareCold({ service, slugs, format, atLeast, ipxBase: ipx.base })));
    }
  } finally {
    ipx.stop();
  }
  rows.push(...(await measureSaturation(service, slugs)));
  return rows;
}

interface ColdRun {
  readonly service: MeasuredService;
  readonly slugs: readonly string[];
  readonly format: 'png' | 'webp';
  readonly atLeast: number;
  readonly ipxBase: string;
}

async function compareCold({ service, slugs, format, atLeast, ipxBase }: ColdRun): Promise<Row[]> {
  const mine: number[] = [];
  const theirs: number[] = [];
  let visits: Visit[] = [];
  let peerVisits: Visit[] = [];
  // Threads and libraries are loaded before the clock runs.
  await visitAll(slugs.slice(0, 40).map((slug) => `${service.base}/v1/${format}/${slug}?size=90`), AT_ONCE, service.headers);
  await visitAll(slugs.slice(0, 40).map((slug) => `${ipxBase}/f_${format},s_90x90/${slug}.svg`), AT_ONCE);
  for (let turn = 0; turn < ROUNDS; turn++) {
    // A padding that does not change the cost makes each round cold.
    const addresses = slugs.map((slug) => `${service.base}/v1/${format}/${slug}?size=256${turn === 0 ? '' : `&padding=${turn}`}`);
    visits = await timed(mine, () => visitAll(addresses, AT_ONCE, service.headers), visits);
    peerVisits = await timed(theirs, () => visitAll(slugs.map((slug) => `${ipxBase}/f_${format},s_256x256,fit_contain,b_00000000/${slug}.svg`), AT_ONCE), peerVisits);
  }
  const rate = (times: readonly number[]) => slugs.length / (median(times) / 1000);
  const bytes = (all: readonly Visit[]) => all.reduce((sum, each) => sum + each.bytes, 0) / all.length;
  const name = format === 'png' ? 'PNG' : 'WebP';
  return [
    {
      what: `cold ${name} 256, ${slugs.length} colour logos, ${AT_ONCE} at once`,
      measured: `${perSecond(rate(mine))}, ${Math.round(bytes(visits))} B`,
      peer: `IPX ${perSecond(rate(theirs))}, ${Math.round(bytes(peerVisits))} B`,
      figure: rate(mine) / rate(theirs),
      goal: { atLeast },
      unit: '×',
    },
    ...(format === 'webp'
      ? [{ what: 'average bytes of that WebP', measured: `${Math.round(bytes(visits))} B`, peer: `IPX ${Math.round(bytes(peerVisits))} B`, figure: bytes(visits) / bytes(peerVisits), goal: { atMost: 1 }, unit: '×' }]
      : []),
  ];
}

/** The first round's visits are kept: only those are the plain pictures. */
async function timed(times: number[], work: () => Promise<Visit[]>, first: Visit[]): Promise<Visit[]> {
  const startedAt = performance.now();
  const visits = await work();
  times.push(performance.now() - startedAt);
  const failed = visits.find(({ status }) => status !== 200);
  if (failed) throw new Error(`a picture answered ${failed.status}`);
  return first.length === 0 ? visits : first;
}

async function colourLogos({ base, headers }: MeasuredService): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null && slugs.length < PICTURES) {
    const page: { results: { slug: string }[]; nextCursor: string | null } = (await (
      await fetch(`${base}/v1/search?category=software&limit=100${cursor && `&cursor=${cursor}`}`, { headers })
    ).json()) as never;
    const body = JSON.stringify({ slugs: page.results.map(({ slug }) => slug), fields: ['slug', 'variants'] });
    const batch = (await (
      await fetch(`${base}/v1/catalog/batch`, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body })
    ).json()) as { results: { entry: Entry }[] };
    slugs.push(...batch.results.filter(({ entry }) => isColourful(entry)).map(({ entry }) => entry.slug));
    cursor = page.nextCursor;
  }
  return slugs.slice(0, PICTURES);
}

const isColourful = ({ variants: [first] }: Entry) => first !== undefined && !first.recolorable && first.colors.length > 1;

const LATENCY_SECONDS = 6;
const LATENCY_INTERVAL_MS = 2;

/** SVG latencies at a steady pace, idle and while more pictures wait than threads can draw. */
async function measureSaturation(service: MeasuredService, slugs: readonly string[]): Promise<Row[]> {
  await svgLatencies(service, 2);
  const idle = percentile(await svgLatencies(service, LATENCY_SECONDS), 0.99);
  let running = true;
  let size = 300;
  let drawn = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const flood = Array.from({ length: AT_ONCE }, async () => {
    while (running) {
      size += 1;
      const slug = slugs[size % slugs.length] ?? 'google';
      await visit(`${service.base}/v1/png/${slug}?width=${300 + (size % 700)}&padding=${Math.floor(size / 700) % 40}`, agent, service.headers);
      drawn += 1;
    }
  });
  const readLoop = await service.watchLoop();
  const busy = percentile(await svgLatencies(service, LATENCY_SECONDS), 0.99);
  const loopDelay = await readLoop();
  running = false;
  await Promise.all(flood);
  agent.destroy();
  return [
    {
      what: 'SVG p99 while the raster pool is saturated',
      measured: `${round(busy)} ms (${Math.round(drawn / LATENCY_SECONDS)} pictures/s meanwhile)`,
      peer: `idle ${round(idle)} ms`,
      figure: busy / idle,
      goal: { atMost: 3 },
      unit: '×',
    },
    { what: 'event-loop delay p99 meanwhile', measured: `${round(loopDelay)} ms`, peer: '–', figure: loopDelay, goal: { atMost: 20 }, unit: ' ms' },
  ];
}

async function svgLatencies({ base, headers }: MeasuredService, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const visits: Promise<Visit>[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    visits.push(visit(`${base}/v1/svg/github`, agent, headers));
    await new Promise((resolve) => setTimeout(resolve, LATENCY_INTERVAL_MS));
  }
  const times = (await Promise.all(visits)).map(({ ms }) => ms);
  agent.destroy();
  return times;
}
