// Measures a catalog of about two hundred thousand icons from `@iconify/json`.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { SVG } from './delivery.js';
import { compareRates, percentile, visit } from './load.js';
import { peersFolder } from './peers.js';
import { importSeconds, temporaryData, withService, type MeasuredService } from './service.js';
import { memoryAtRest } from './start.js';
import { limited, ratio, type Row } from './table.js';

const ICONS = 200_000;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const WORDS =
  'arrow,home,account circle,chevron down,calender,notifcation,git,setings,user,a,shopping cart,facebok,download,flag,wether,light bulb';

/** Measures the large catalog. `defaultDir` is a data folder with the default catalog. */
export async function measureLarge(defaultDir: string): Promise<Row[]> {
  const data = temporaryData();
  const variables = { DATA_DIR: data.path };
  cpSync(defaultDir, data.path, { recursive: true });
  try {
    const seconds = await importSeconds(variables, someSets(data.path));
    return await withService({ DATA_DIR: defaultDir }, (small) =>
      withService(variables, (large) => compareLarge(large, { small, seconds })),
    );
  } finally {
    data.remove();
  }
}

async function compareLarge(
  large: MeasuredService,
  { small, seconds }: { readonly small: MeasuredService; readonly seconds: number },
): Promise<Row[]> {
  const searchMs = await searchLatency(large);
  const loadOf = ({ base, headers }: MeasuredService) => ({ base, headers, paths: [SVG] });
  const rates = await compareRates({ small: loadOf(small), large: loadOf(large) });
  const answer = await fetch(`${large.base}/v1/search?variant=default&limit=1`, { headers: large.headers });
  const { total } = (await answer.json()) as { readonly total: number };
  const name = `${total.toLocaleString('en')} entries: `;
  return [
    limited(`${name}import`, seconds, ' s', { atMost: 180 }),
    limited(`${name}search p99, no repeats`, searchMs, ' ms', { atMost: 20 }),
    ratio(`${name}SVG rate`, rates.large, { name: 'default catalog', rate: rates.small }, 0.9),
    limited(`${name}memory`, await memoryAtRest(large.pid), ' MB', { atMost: 900 }),
  ];
}

/**
 * Copies icon sets in alphabetical order until the copies have `ICONS` icons together. Returns the folder of the
 * copies.
 */
export function someSets(dataDir: string): string {
  const all = `${peersFolder}node_modules/@iconify/json/json/`;
  const folder = join(dataDir, 'sets');
  mkdirSync(folder);
  let icons = 0;
  for (const file of readdirSync(all).sort()) {
    if (icons >= ICONS) break;
    icons += Object.keys((JSON.parse(readFileSync(all + file, 'utf8')) as { icons: object }).icons).length;
    cpSync(all + file, join(folder, file));
  }
  return folder;
}

/**
 * Returns the 99th percentile of search times, ms. Sends one query at a time. Sends each query only once, so that no
 * response is cached.
 */
export async function searchLatency({ base, headers }: Pick<MeasuredService, 'base' | 'headers'>): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const pairs = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const times: number[] = [];
  for (const query of [...WORDS.split(','), ...LETTERS, ...pairs])
    times.push((await visit(`${base}/v1/search?q=${encodeURIComponent(query)}`, { agent, headers })).ms);
  agent.destroy();
  return percentile(times, 0.99);
}
