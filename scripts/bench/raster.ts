// Cold pictures against IPX, and SVG delivery while every drawing thread is busy.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLogoFiles, type Logo } from './logo-files.js';
import { median, runLoad, visitAll, type Load, type Visit } from './load.js';
import { peersFolder, startIpx } from './peers.js';
import type { MeasuredService } from './service.js';
import { perSecond, round, type Row } from './table.js';

const PICTURES = 300;
const SET_PICTURES = 400;
/** Looked through for brands that the set has, too. */
const ALL = 5000;
const AT_ONCE = 16;
const ROUNDS = 5;
const COLD_SECONDS = 3;
/** Sizes that one round has: its pictures, of 300 logos, are enough for 1,600 a second. */
const SIDES = 16;
const MIDDLE = 256;
const GOALS = [
  { format: 'png', atLeast: 2.5 },
  { format: 'webp', atLeast: 4 },
] as const;
const WARMING = { even: [150, 152, 154, 156], odd: [151, 153, 155, 157] };

interface Entry {
  readonly slug: string;
  readonly variants: readonly {
    readonly recolorable: boolean;
    readonly colors: readonly string[];
    readonly width: number;
    readonly height: number;
  }[];
}

export async function measureRaster(service: MeasuredService): Promise<Row[]> {
  const logos = await colorLogos(service, { query: 'category=software', most: PICTURES });
  const folder = `${peersFolder}pictures/`;
  mkdirSync(folder, { recursive: true });
  for (const { slug, longer } of logos) {
    // With a size of its own, because IPX never enlarges.
    const svg = await (
      await fetch(`${service.base}/v1/svg/${slug}?${longer}=512`, { headers: service.headers })
    ).text();
    writeFileSync(`${folder}${slug}.svg`, svg);
  }
  const rows: Row[] = [];
  for (const { format, atLeast } of GOALS)
    rows.push(...(await compareCold({ service, logos, format, atLeast, folder, sides: 'even' })));
  rows.push(...(await compareSet(service)));
  rows.push(...(await measureSaturation(service, logos)));
  return rows;
}

/** Blazon's drawing of a brand against the file that another set has of it, filters and all. */
async function compareSet(service: MeasuredService): Promise<Row[]> {
  const folder = `${peersFolder}logos/`;
  mkdirSync(folder, { recursive: true });
  const all = await colorLogos(service, { query: 'variant=mono', most: ALL });
  const logos = writeLogoFiles(all, folder, SET_PICTURES);
  const rows: Row[] = [];
  for (const { format, atLeast } of GOALS) {
    const [row] = await compareCold({ service, logos, format, atLeast, folder, sides: 'odd' });
    if (row) rows.push({ ...row, what: `${row.what}, IPX from @iconify-json/logos` });
  }
  return rows;
}

interface ColdRun {
  readonly service: MeasuredService;
  readonly logos: readonly Logo[];
  readonly format: 'png' | 'webp';
  readonly atLeast: number;
  /** Files for IPX. */
  readonly folder: string;
  /** Those of other lists have other sides: a logo of both would no longer be cold. */
  readonly sides: 'even' | 'odd';
}

async function compareCold({ service, logos, format, atLeast, folder, sides: parity }: ColdRun): Promise<Row[]> {
  const mine: number[] = [];
  const theirs: number[] = [];
  const mineAt = (side: number) => logos.map(({ slug, longer }) => `/v1/${format}/${slug}?${longer}=${side}`);
  const theirsAt = (side: number) => logos.map(({ slug }) => `/f_${format},s_${side}x${side},fit_inside/${slug}.svg`);
  // Threads, libraries and compilers are warm before the clock runs.
  for (const side of WARMING[parity]) await allAnswer(service.base, mineAt(side), service.headers);
  const visits = await allAnswer(service.base, mineAt(MIDDLE), service.headers);
  let peerVisits: readonly Visit[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sides = sidesOf(round, parity);
    const load = { seconds: COLD_SECONDS, connections: AT_ONCE };
    // One start of its process is up to a quarter faster than the next.
    const ipx = await startIpx(folder, `/f_png,w_64/${logos[0]?.slug ?? ''}.svg`);
    try {
      for (const side of WARMING[parity]) await allAnswer(ipx.base, theirsAt(side));
      peerVisits = await allAnswer(ipx.base, theirsAt(MIDDLE));
      const ours = { ...load, base: service.base, headers: service.headers, paths: sides.flatMap(mineAt) };
      const inTurn = [
        async () => mine.push(await rateOf(ours)),
        async () => theirs.push(await rateOf({ ...load, base: ipx.base, paths: sides.flatMap(theirsAt) })),
      ];
      for (const measure of round % 2 === 0 ? inTurn : inTurn.toReversed()) await measure();
    } finally {
      ipx.stop();
    }
  }
  const [rate, peerRate] = [median(mine), median(theirs)];
  // Of neighbors in time, since the machine itself becomes faster and slower.
  const ratio = median(mine.map((one, round) => one / (theirs[round] ?? NaN)));
  const bytes = (all: readonly Visit[]) => all.reduce((sum, each) => sum + each.bytes, 0) / all.length;
  const name = format === 'png' ? 'PNG' : 'WebP';
  return [
    {
      what: `cold ${name} 256, ${logos.length} color logos, ${AT_ONCE} at once`,
      measured: `${perSecond(rate)}, ${Math.round(bytes(visits))} B`,
      peer: `IPX ${perSecond(peerRate)}, ${Math.round(bytes(peerVisits))} B`,
      figure: ratio,
      goal: { atLeast },
      unit: '×',
    },
    ...(format === 'webp'
      ? [
          {
            what: 'average bytes of that WebP',
            measured: `${Math.round(bytes(visits))} B`,
            peer: `IPX ${Math.round(bytes(peerVisits))} B`,
            figure: bytes(visits) / bytes(peerVisits),
            goal: { atMost: 1 },
            unit: '×',
          },
        ]
      : []),
  ];
}

/** Throws when there were not enough pictures, so that some were drawn twice, or came from a cache. */
async function rateOf(load: Load): Promise<number> {
  const { requestsPerSecond } = await runLoad(load);
  if (requestsPerSecond * load.seconds > load.paths.length)
    throw new Error(`${load.base}: more pictures than addresses`);
  return requestsPerSecond;
}

/**
 * Sides around 256, as many above as below, so that the pictures cost the same and each is cold: of every round others,
 * and more than can be drawn in its time.
 */
function sidesOf(round: number, parity: ColdRun['sides']): number[] {
  return Array.from({ length: SIDES }, (_, index) => {
    const step = 2 * (1 + Math.floor(index / 2) * ROUNDS + round) - (parity === 'odd' ? 1 : 0);
    return MIDDLE + (index % 2 === 0 ? step : -step);
  });
}

async function allAnswer(
  base: string,
  paths: readonly string[],
  headers?: Readonly<Record<string, string>>,
): Promise<Visit[]> {
  const visits = await visitAll(
    paths.map((path) => base + path),
    AT_ONCE,
    headers,
  );
  const failed = visits.find(({ status }) => status !== 200);
  if (failed) throw new Error(`${failed.url} answered ${failed.status}`);
  return visits;
}

async function colorLogos(
  { base, headers }: MeasuredService,
  { query, most }: { readonly query: string; readonly most: number },
): Promise<Logo[]> {
  const logos: Logo[] = [];
  let cursor: string | null = '';
  while (cursor !== null && logos.length < most) {
    const page: { results: { slug: string }[]; nextCursor: string | null } = (await (
      await fetch(`${base}/v1/search?${query}&limit=100${cursor && `&cursor=${cursor}`}`, { headers })
    ).json()) as never;
    const body = JSON.stringify({ slugs: page.results.map(({ slug }) => slug), fields: ['slug', 'variants'] });
    const batch = (await (
      await fetch(`${base}/v1/catalog/batch`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
      })
    ).json()) as { results: { entry: Entry }[] };
    for (const { entry } of batch.results) {
      const [drawing] = entry.variants;
      if (drawing && isColorful(entry))
        logos.push({ slug: entry.slug, longer: drawing.width >= drawing.height ? 'width' : 'height' });
    }
    cursor = page.nextCursor;
  }
  return logos.slice(0, most);
}

const isColorful = ({ variants: [first] }: Entry) =>
  first !== undefined && !first.recolorable && first.colors.length > 1;

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
  const paths = Array.from(
    { length: FLOOD_PATHS },
    (_, at) => `/v1/png/${logos[at % logos.length]?.slug ?? ''}?width=${300 + (at % 701)}`,
  );
  const flood = runLoad({
    base,
    headers,
    paths,
    seconds: LATENCY_SECONDS + FLOOD_MARGIN_SECONDS,
    connections: AT_ONCE,
  });
  await sleep((FLOOD_MARGIN_SECONDS / 2) * 1000);
  const readLoop = await service.watchLoop();
  const busy = await runLoad(svg);
  const loopDelayMs = await readLoop();
  const pictures = await flood;
  return [
    {
      what: 'SVG p99 while the raster pool is saturated',
      measured:
        `${round(busy.p99Ms)} ms, ${perSecond(busy.requestsPerSecond)} and ` +
        `${Math.round(pictures.requestsPerSecond)} pictures/s`,
      peer: `idle ${round(idle.p99Ms)} ms, ${perSecond(idle.requestsPerSecond)}`,
      figure: busy.p99Ms / idle.p99Ms,
      goal: { atMost: 3 },
      unit: '×',
    },
    {
      what: 'event-loop delay p99 meanwhile',
      measured: `${round(loopDelayMs)} ms`,
      peer: '–',
      figure: loopDelayMs,
      goal: { atMost: 20 },
      unit: ' ms',
    },
  ];
}
