// Measures how fast Blazon and the image server IPX make pictures that are not cached. Also measures SVG delivery while
// every rasterizer process is busy.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SVG } from './delivery.js';
import { median, runLoad, visitAll, type Load, type Visit } from './load.js';
import { peersFolder, startIpx } from './peers.js';
import type { MeasuredService } from './service.js';
import { limited, perSecond, round, type Row } from './table.js';

const PICTURES = 300;
const SET_PICTURES = 400;
/** Maximum number of catalog entries to look up in the set @iconify-json/logos. */
const ALL = 5000;
const AT_ONCE = 16;
const ROUNDS = 5;
const COLD_SECONDS = 3;
/**
 * Number of sizes in one round. 300 logos in 16 sizes are 4,800 pictures. At 1,600 pictures a second, they last for the
 * three seconds of a round, so no picture is requested twice.
 */
const SIDES = 16;
const MIDDLE = 256;
/**
 * Sizes that Blazon draws before the measurement. 300 logos in 20 sizes are 6,000 pictures. Until then, the JavaScript
 * compiler still makes the service faster: with 256 px, 350 pictures a second after 1,000, 400 after 3,000, and 500
 * after 6,000 and after 9,000.
 */
const WARMING = sizesFrom(130, 20);
/** Sizes that IPX draws before each measurement. Its rate no longer rises after 300 pictures. */
const PEER_WARMING = sizesFrom(130, 3);
/** Longer side of the files, px. IPX never enlarges pictures, so the files must be larger than the requested sizes. */
const FILE_PX = 512;

interface Logo {
  readonly slug: string;
  /**
   * Longer side of the logo. Requests give the size of this side, so that both services draw the same number of pixels.
   */
  readonly longer: 'width' | 'height';
}

interface LogoList {
  readonly logos: readonly Logo[];
  readonly folder: string;
  /** Suffix of the row names of this list in the table of results. */
  readonly name: string;
  /**
   * Number that is subtracted from all sizes of this list, px. If both lists had equal sizes, a logo in both lists
   * would already be cached for the second list.
   */
  readonly shift: 0 | 1;
}

export async function measureRasterizing(service: MeasuredService): Promise<Row[]> {
  const software = await colorLogos(service, { query: 'category=software', most: PICTURES });
  const lists = [await ownLogos(service, software), await setLogos(service)];
  const rows: Row[] = [];
  for (const list of lists)
    rows.push(
      ...(await compareCold(service, list, { format: 'png', atLeast: 1.8 })),
      ...(await compareCold(service, list, { format: 'webp', atLeast: 3.2 })),
    );
  return [...rows, ...(await measureSaturation(service, software))];
}

/** Saves SVG responses of the service as files. */
async function ownLogos({ base, headers }: MeasuredService, logos: readonly Logo[]): Promise<LogoList> {
  const folder = emptyFolder('pictures');
  for (const { slug, longer } of logos) {
    const answer = await fetch(`${base}/v1/svg/${slug}?${longer}=${FILE_PX}`, { headers });
    writeFileSync(`${folder}${slug}.svg`, await answer.text());
  }
  return { logos, folder, name: '', shift: 0 };
}

interface IconSet {
  readonly width?: number;
  readonly height?: number;
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >;
}

/** Returns brands of `@iconify-json/logos` with the files of that icon set. Prefers symbols to wordmarks. */
async function setLogos(service: MeasuredService): Promise<LogoList> {
  const folder = emptyFolder('logos');
  const set = JSON.parse(readFileSync(`${peersFolder}node_modules/@iconify-json/logos/icons.json`, 'utf8')) as IconSet;
  const logos: Logo[] = [];
  for (const logo of await colorLogos(service, { query: 'variant=mono', most: ALL })) {
    const icon = set.icons[`${logo.slug}-icon`] ?? set.icons[logo.slug];
    if (icon === undefined || logos.length === SET_PICTURES) continue;
    const [width, height] = [icon.width ?? set.width ?? 16, icon.height ?? set.height ?? 16];
    const [wide, high] = [width, height].map((side) => Math.round((side * FILE_PX) / Math.max(width, height)));
    writeFileSync(
      `${folder}${logo.slug}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
        `width="${wide ?? 0}" height="${high ?? 0}" viewBox="0 0 ${width} ${height}">${icon.body}</svg>`,
    );
    logos.push(logo);
  }
  return { logos, folder, name: ', IPX from @iconify-json/logos', shift: 1 };
}

function emptyFolder(name: string): string {
  const folder = `${peersFolder}${name}/`;
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function compareCold(
  { base, headers }: MeasuredService,
  { logos, folder, name, shift }: LogoList,
  { format, atLeast }: { readonly format: 'png' | 'webp'; readonly atLeast: number },
): Promise<Row[]> {
  const [mine, theirs]: [number[], number[]] = [[], []];
  const mineAt = (side: number) => logos.map(({ slug, longer }) => `/v1/${format}/${slug}?${longer}=${side - shift}`);
  const theirsAt = (side: number) =>
    logos.map(({ slug }) => `/f_${format},s_${side - shift}x${side - shift},fit_inside/${slug}.svg`);
  // Warms up threads, libraries and compilers before the measurement.
  for (const side of WARMING)
    await visitAll(
      mineAt(side).map((path) => base + path),
      AT_ONCE,
      headers,
    );
  const visits = await visitAll(
    mineAt(MIDDLE + shift).map((path) => base + path),
    AT_ONCE,
    headers,
  );
  let peerVisits: readonly Visit[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const sides = sidesOf(turn);
    const load = { seconds: COLD_SECONDS, connections: AT_ONCE };
    // IPX is restarted in every round, because the speed of a process can vary by a quarter between starts.
    const ipx = await startIpx(folder, `/f_png,w_64/${logos[0]?.slug ?? ''}.svg`);
    try {
      for (const side of [...PEER_WARMING, MIDDLE + shift])
        peerVisits = await visitAll(
          theirsAt(side).map((path) => ipx.base + path),
          AT_ONCE,
        );
      const inTurn = [
        async () => mine.push(await rateOf({ ...load, base, headers, paths: sides.flatMap(mineAt) })),
        async () => theirs.push(await rateOf({ ...load, base: ipx.base, paths: sides.flatMap(theirsAt) })),
      ];
      for (const measure of turn % 2 === 0 ? inTurn : inTurn.toReversed()) await measure();
    } finally {
      ipx.stop();
    }
  }
  const bytesOf = (all: readonly Visit[]) => all.reduce((sum, { bytes }) => sum + bytes, 0) / all.length;
  const [bytes, peerBytes] = [bytesOf(visits), bytesOf(peerVisits)];
  const what = `${format === 'png' ? 'PNG' : 'WebP'}, ${logos.length} color logos${name}`;
  const row: Row = {
    what: `cold ${what}, 256 px, ${AT_ONCE} at once`,
    measured: `${perSecond(median(mine))}, ${Math.round(bytes)} B`,
    peer: `IPX ${perSecond(median(theirs))}, ${Math.round(peerBytes)} B`,
    // Compares the two services round by round, because the speed of the machine varies over time.
    figure: median(mine.map((one, turn) => one / (theirs[turn] ?? NaN))),
    unit: '×',
    goal: { atLeast },
  };
  if (format === 'png' || shift === 1) return [row];
  const [measured, peer] = [`${Math.round(bytes)} B`, `IPX ${Math.round(peerBytes)} B`];
  return [row, limited('average bytes of that WebP', bytes / peerBytes, '×', { atMost: 1, measured, peer })];
}

/**
 * Returns pictures per second. Throws if a picture was requested twice, because the second response would come from the
 * cache.
 */
async function rateOf(load: Load): Promise<number> {
  const { requestsPerSecond } = await runLoad(load);
  if (requestsPerSecond * load.seconds > load.paths.length)
    throw new Error(`${load.base}: more pictures than addresses`);
  return requestsPerSecond;
}

function sizesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + 2 * index);
}

/**
 * Returns the sizes for one round, px: even numbers around 256. No size occurs in two rounds. Each size below 256 has a
 * counterpart above 256, so that all rounds cost the same.
 */
function sidesOf(turn: number): number[] {
  return Array.from({ length: SIDES }, (_, index) => {
    const step = 2 * (1 + Math.floor(index / 2) * ROUNDS + turn);
    return MIDDLE + (index % 2 === 0 ? step : -step);
  });
}

interface Entry {
  readonly slug: string;
  readonly variants: readonly {
    readonly recolorable: boolean;
    readonly colors: readonly string[];
    readonly width: number;
    readonly height: number;
  }[];
}

async function colorLogos(
  { base, headers }: MeasuredService,
  { query, most }: { readonly query: string; readonly most: number },
): Promise<Logo[]> {
  const logos: Logo[] = [];
  for (let cursor: string | null = ''; cursor !== null && logos.length < most;) {
    const url = `${base}/v1/search?${query}&limit=100${cursor && `&cursor=${cursor}`}`;
    const page = (await (await fetch(url, { headers })).json()) as {
      readonly results: readonly { readonly slug: string }[];
      readonly nextCursor: string | null;
    };
    const batch = await fetch(`${base}/v1/catalog/batch`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ slugs: page.results.map(({ slug }) => slug), fields: ['slug', 'variants'] }),
    });
    for (const { entry } of ((await batch.json()) as { readonly results: readonly { entry: Entry }[] }).results) {
      const [first] = entry.variants;
      if (first && !first.recolorable && first.colors.length > 1)
        logos.push({ slug: entry.slug, longer: first.width >= first.height ? 'width' : 'height' });
    }
    cursor = page.nextCursor;
  }
  return logos.slice(0, most);
}

const LATENCY_SECONDS = 6;
/** Time by which the flood lasts longer than the measurement, s. */
const FLOOD_MARGIN_SECONDS = 2;
const FLOOD_PATHS = 20_000;

/**
 * Measures the latency of SVG requests twice: while the service is idle, and while more pictures are queued than there
 * are rasterizer processes.
 */
async function measureSaturation(service: MeasuredService, logos: readonly Logo[]): Promise<Row[]> {
  const { base, headers } = service;
  const svg = { base, headers, paths: [SVG], seconds: LATENCY_SECONDS, connections: 8 };
  const idle = await runLoad(svg);
  const pathOf = (at: number) => `/v1/png/${logos[at % logos.length]?.slug ?? ''}?width=${300 + (at % 701)}`;
  const paths = Array.from({ length: FLOOD_PATHS }, (_, at) => pathOf(at));
  const seconds = LATENCY_SECONDS + FLOOD_MARGIN_SECONDS;
  const flood = runLoad({ base, headers, paths, seconds, connections: AT_ONCE });
  await sleep((FLOOD_MARGIN_SECONDS / 2) * 1000);
  const readLoop = await service.watchLoop();
  const busy = await runLoad(svg);
  const loopDelayMs = await readLoop();
  const pictures = perSecond((await flood).requestsPerSecond);
  return [
    limited('SVG p99 while the raster pool is saturated', busy.p99Ms / idle.p99Ms, '×', {
      atMost: 3,
      measured: `${round(busy.p99Ms)} ms, ${perSecond(busy.requestsPerSecond)} and ${pictures} pictures`,
      peer: `idle ${round(idle.p99Ms)} ms, ${perSecond(idle.requestsPerSecond)}`,
    }),
    limited('event-loop delay p99 meanwhile', loopDelayMs, ' ms', { atMost: 20 }),
  ];
}
