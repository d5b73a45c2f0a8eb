// Compares an account with a thousand own brands with an account that has none. The brands are uploaded as archives.
import { Agent } from 'node:http';
import { strToU8, zipSync } from 'fflate';
import { startDatabaseServers } from './database-servers.js';
import { SVG } from './delivery.js';
import { searchLatency } from './large.js';
import { compareRates, median, percentile, visit } from './load.js';
import { importSeconds, withService, type MeasuredService } from './service.js';
import { limited, ratio, round, type Row } from './table.js';

const BRANDS = 1000;
/** Number of brands per archive. An archive also contains one file that describes the brands. */
const IN_ARCHIVE = 500;
/** Number of changes. Changes and archives together must stay below the limit of changes per minute. */
const CHANGES = 50;
const WORDS =
  'portal,intranet,wiki,build,deploy,monitor,ledger,payroll,travel,vault,queue,stream,bridge,mesh,core'.split(',');

const slugAt = (at: number): string => `${WORDS[at % WORDS.length] ?? ''}-${at}`;

function drawing(color: string, seed: number): string {
  const dots = Array.from(
    { length: 8 },
    (_, at) => `<circle cx="${at * 3}" cy="${(seed * at) % 24}" r="2" fill="#f7df1e"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${color}" d="M0 0h24v${(seed % 20) + 1}z"/>${dots.join('')}</svg>`;
}

const colorAt = (at: number): string => `#${(0x100000 + at * 997).toString(16).slice(0, 6)}`;

/** Measures own brands. `name`: prefix of the row names. */
export async function measureOwnBrands(service: MeasuredService, name = ''): Promise<Row[]> {
  const { base, headers, other } = service;
  const without = { ...service, headers: { 'X-API-Key': other.key } };
  const archive = await putAll(service);
  const [withMs, withoutMs] = [await searchLatency(service), await searchLatency(without)];
  const rates = await compareRates({
    public: { base, headers: without.headers, paths: [SVG] },
    own: { base, headers, paths: [`/v1/svg/${slugAt(0)}`] },
  });
  const seen = await measureChanges(service);
  const ms = (values: readonly number[]): string => `median ${round(median(values))} ms`;
  return [
    limited(`${name}${BRANDS} own brands put as two archives`, archive.seconds, ' s', {
      atMost: 60,
      peer: `event loop, p99 ${round(archive.loopMs)} ms`,
    }),
    limited(`${name}search p99, ${BRANDS} own brands, no repeats`, withMs, ' ms', {
      atMost: 20,
      peer: `an account without any ${round(withoutMs)} ms`,
    }),
    ratio(`${name}SVG of an own brand`, rates.own, { name: 'of a public one', rate: rates.public }, 0.8),
    limited(`${name}SVG after a change, p99: the new drawing`, percentile(seen.svg, 0.99), ' ms', {
      atMost: 50,
      measured: ms(seen.svg),
      peer: `the change ${ms(seen.put)}`,
    }),
    limited(`${name}search after a change, p99: the index is built anew`, percentile(seen.search, 0.99), ' ms', {
      atMost: 200,
      measured: ms(seen.search),
      peer: `event loop, p99 ${round(seen.loopMs)} ms`,
    }),
  ];
}

export async function measureOwnBrandsInCluster(): Promise<Row[]> {
  const servers = await startDatabaseServers();
  try {
    await importSeconds(servers.variables);
    return await withService(servers.variables, (service) => measureOwnBrands(service, 'cluster: '));
  } finally {
    await servers.stop();
  }
}

async function putAll(service: MeasuredService) {
  const { base, headers } = service;
  const loop = await service.watchLoop();
  const startedMs = performance.now();
  for (let from = 0; from < BRANDS; from += IN_ARCHIVE) {
    const numbers = Array.from({ length: IN_ARCHIVE }, (_, index) => from + index);
    const facts = numbers.map((at) => [slugAt(at), { domains: [`${slugAt(at)}.corp`], aliases: [`Service ${at}`] }]);
    const files = numbers.map((at) => [`${slugAt(at)}.svg`, strToU8(drawing(colorAt(at), at))] as const);
    const body = zipSync({
      'icons.json': strToU8(JSON.stringify(Object.fromEntries(facts))),
      ...Object.fromEntries(files),
    });
    const type = { 'Content-Type': 'application/zip' };
    const answer = await fetch(`${base}/v1/brands?atomic=1`, { method: 'PUT', headers: { ...headers, ...type }, body });
    const { applied } = (await answer.json()) as { readonly applied?: boolean };
    if (applied !== true) throw new Error(`the archive got status ${answer.status}`);
  }
  return { seconds: (performance.now() - startedMs) / 1000, loopMs: await loop() };
}

/** Measures changes. The first SVG and the first search after each change must already show the new state. */
async function measureChanges(service: MeasuredService) {
  const { base, headers } = service;
  const agent = new Agent({ keepAlive: true });
  const times = { put: [] as number[], svg: [] as number[], search: [] as number[] };
  const type = { 'Content-Type': 'image/svg+xml' };
  const loop = await service.watchLoop();
  for (let change = 0; change < CHANGES; change++) {
    const [slug, color] = [slugAt(change), colorAt(BRANDS + change)];
    const startedMs = performance.now();
    const answer = await fetch(`${base}/v1/brands/${slug}/variants/default`, {
      method: 'PUT',
      headers: { ...headers, ...type },
      body: drawing(color, change),
    });
    if (answer.status !== 200) throw new Error(`the drawing got status ${answer.status}`);
    await answer.arrayBuffer();
    times.put.push(performance.now() - startedMs);
    const askedMs = performance.now();
    const svg = await (await fetch(`${base}/v1/svg/${slug}`, { headers })).text();
    times.svg.push(performance.now() - askedMs);
    if (!svg.includes(color)) throw new Error(`the SVG of ${slug} is older than its last change`);
    times.search.push((await visit(`${base}/v1/search?q=${slug}`, { agent, headers })).ms);
  }
  agent.destroy();
  return { ...times, loopMs: await loop() };
}
