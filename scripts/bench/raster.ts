// Cold pictures against IPX, and SVG delivery while every drawing thread is busy.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, runLoad, visitAll, type Visit } from './load.js';
import { peersFolder, startIpx } from './peers.js';
import type { MeasuredService } from './service.js';
import { perSecond, round, type Row } from './table.js';

const PICTURES = 300;
const AT_ONCE = 16;
const ROUNDS = 3;

interface Entry {
  readonly slug: string;
  readonly variants: readonly { readonly recolorable: boolean; readonly colors: readonly string[]; readonly width: number; readonly height: number }[];
}

interface Logo {
  readonly slug: string;
  /** The longer side, so that both services draw the same number of pixels. */
  readonly longer: 'width' | 'height';
}

export async function measureRaster(service: MeasuredService): Promise<Row[]> {
  const logos = await colourLogos(service);
  const folder = `${peersFolder}pictures/`;
  mkdirSync(folder, { recursive: true });
  for (const { slug, longer } of logos) {
    // With a size of its own, because IPX never enlarges.
    const svg = await (await fetch(`${service.base}/v1/svg/${slug}?${longer}=512`, { headers: service.headers })).text();
    writeFileSync(`${folder}${slug}.svg`, svg);
  }
  const ipx = await startIpx(folder, `/f_png,w_64/${logos[0]?.slug ?? ''}.svg`);
  const rows: Row[] = [];
  try {
    for (const [format, atLeast] of [['png', 2.5], ['webp', 4]] as const) {
      rows.push(...(await compareCold({ service, logos, format, atLeast, ipxBase: ipx.base })));
    }
  } finally {
    ipx.stop();
  }
  rows.push(...(await measureSaturation(service, logos)));
  return rows;
}

interface ColdRun {
  readonly service: MeasuredService;
  readonly logos: readonly Logo[];
  readonly format: 'png' | 'webp';
  readonly atLeast: number;
  readonly ipxBase: string;
}

async function compareCold({ service, logos, format, atLeast, ipxBase }: ColdRun): Promise<Row[]> {
  const mine: number[] = [];
  const theirs: number[] = [];
  let visits: Visit[] = [];
  let peerVisits: Visit[] = [];
  const mineAt = (side: number) => logos.map(({ slug, longer }) => `${service.base}/v1/${format}/${slug}?${longer}=${side}`);
  const theirsAt = (side: number) => logos.map(({ slug }) => `${ipxBase}/f_${format},s_${side}x${side},fit_inside/${slug}.svg`);
  // Threads, libraries and compilers are warm before the clock runs.
  await visitAll([...mineAt(250), ...mineAt(251)], AT_ONCE, service.headers);
  await visitAll([...theirsAt(250), ...theirsAt(251)], AT_ONCE);
  for (let turn = 0; turn < ROUNDS; turn++) {
    // Neighbouring sizes cost the same, and each is cold.
    const side = 256 + turn;
    visits = await timed(mine, () => visitAll(mineAt(side), AT_ONCE, service.headers), visits);
    peerVisits = await timed(theirs, () => visitAll(theirsAt(side), AT_ONCE), peerVisits);
  }
  const rate = (times: readonly number[]) => logos.length / (median(times) / 1000);
  const bytes = (all: readonly Visit[]) => all.reduce((sum, each) => sum + each.bytes, 0) / all.length;
  const name = format === 'png' ? 'PNG' : 'WebP';
  return [
    {
      what: `cold ${name} 256, ${logos.length} colour logos, ${AT_ONCE} at once`,
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
  if (failed) throw new Error(`${failed.url} answered ${failed.status}`);
  return first.length === 0 ? visits : first;
}

async function colourLogos({ base, headers }: MeasuredService): Promise<Logo[]> {
  const logos: Logo[] = [];
  let cursor: string | null = '';
  while (cursor !== null && logos.length < PICTURES) {
    const page: { results: { slug: string }[]; nextCursor: string | null } = (await (
      await fetch(`${base}/v1/search?category=software&limit=100${cursor && `&cursor=${cursor}`}`, { headers })
    ).json()) as never;
    const body = JSON.stringify({ slugs: page.results.map(({ slug }) => slug), fields: ['slug', 'variants'] });
    const batch = (await (
      await fetch(`${base}/v1/catalog/batch`, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body })
    ).json()) as { results: { entry: Entry }[] };
    for (const { entry } of batch.results) {
      const [drawing] = entry.variants;
      if (drawing && isColourful(entry)) logos.push({ slug: entry.slug, longer: drawing.width >= drawing.height ? 'width' : 'height' });
    }
    cursor = page.nextCursor;
  }
  return logos.slice(0, PICTURES);
}

const isColourful = ({ variants: [first] }: Entry) => first !== undefined && !first.recolorable && first.colors.length > 1;

const LATENCY_SECONDS = 6;
const LATENCY_CONNECTIONS = 8;
/** The flood lasts longer than what is measured during it. */
const FLOOD_MARGIN_SECONDS = 2;
const FLOOD_PATHS = 20_000;

/** SVG latencies, idle and while more different pictures wait than threads can draw. */
async function measureSaturation(service: MeasuredService, logos: readonly Logo[]): Promise<Row[]> {
  const { base, headers } = service;
  const svg = { base, headers, paths: ['/v1/svg/github'], seconds: LATENCY_SECONDS, connections: LATENCY_CONNECTIONS };
  const idle = await runLoad(svg);
  const paths = Array.from({ length: FLOOD_PATHS }, (_, at) => `/v1/png/${logos[at % logos.length]?.slug ?? ''}?width=${300 + (at % 701)}`);
  const flood = runLoad({ base, headers, paths, seconds: LATENCY_SECONDS + FLOOD_MARGIN_SECONDS, connections: AT_ONCE });
  await sleep((FLOOD_MARGIN_SECONDS / 2) * 1000);
  const readLoop = await service.watchLoop();
  const busy = await runLoad(svg);
  const loopDelayMs = await readLoop();
  const pictures = await flood;
  return [
    {
      what: 'SVG p99 while the raster pool is saturated',
      measured: `${round(busy.p99Ms)} ms, ${perSecond(busy.requestsPerSecond)} and ${Math.round(pictures.requestsPerSecond)} pictures/s`,
      peer: `idle ${round(idle.p99Ms)} ms, ${perSecond(idle.requestsPerSecond)}`,
      figure: busy.p99Ms / idle.p99Ms,
      goal: { atMost: 3 },
      unit: '×',
    },
    { what: 'event-loop delay p99 meanwhile', measured: `${round(loopDelayMs)} ms`, peer: '–', figure: loopDelayMs, goal: { atMost: 20 }, unit: ' ms' },
  ];
}
