// Two hundred thousand icons: sets of @iconify/json, by name, until there are that many.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareRates } from './delivery.js';
import { percentile, visit } from './load.js';
import { peersFolder } from './peers.js';
import { memoryMb } from '../processes.js';
import { catalogCommand, startService, type MeasuredService } from './service.js';
import { perSecond, round, type Row } from './table.js';

const ICONS = 200_000;
const SETTLE_MS = 10_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORDS = [
  'arrow',
  'home',
  'account circle',
  'chevron down',
  'calender',
  'notifcation',
  'git',
  'setings',
  'user',
  'a',
  'shopping cart',
  'facebok',
  'download',
  'flag',
  'wether',
  'light bulb',
];

/** `defaultDir` holds the default catalog, `dataDir` a copy of it. */
export async function measureLarge(defaultDir: string, dataDir: string): Promise<Row[]> {
  const importMs = await catalogCommand({ DATA_DIR: dataDir }, 'import', '--iconify', someSets(dataDir));
  const large = await startService(dataDir);
  const small = await startService(defaultDir);
  try {
    const searchP99 = await searchLatency(large);
    const rates = await compareRates({
      small: { base: small.base, headers: small.headers, paths: ['/v1/svg/github'] },
      large: { base: large.base, headers: large.headers, paths: ['/v1/svg/github'] },
    });
    await sleep(SETTLE_MS);
    const megabytes = memoryMb(large.pid) ?? NaN;
    const total = (
      (await (await fetch(`${large.base}/v1/search?variant=default&limit=1`, { headers: large.headers })).json()) as {
        total: number;
      }
    ).total;
    const { small: smallRate = NaN, large: largeRate = NaN } = rates;
    const label = `${total.toLocaleString('en')} entries`;
    return [
      {
        what: `${label}: import`,
        measured: `${round(importMs / 1000)} s`,
        peer: '–',
        figure: importMs / 1000,
        goal: { atMost: 180 },
        unit: ' s',
      },
      {
        what: `${label}: search p99, no repeats`,
        measured: `${round(searchP99)} ms`,
        peer: '–',
        figure: searchP99,
        goal: { atMost: 20 },
        unit: ' ms',
      },
      {
        what: `${label}: SVG rate`,
        measured: perSecond(largeRate),
        peer: `default catalog ${perSecond(smallRate)}`,
        figure: largeRate / smallRate,
        goal: { atLeast: 0.9 },
        unit: '×',
      },
      {
        what: `${label}: memory`,
        measured: `${megabytes} MB`,
        peer: '–',
        figure: megabytes,
        goal: { atMost: 900 },
        unit: ' MB',
      },
    ];
  } finally {
    await large.stop();
    await small.stop();
  }
}

/** A folder with copies of as many sets as it takes. */
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

/** One after the other, each query once: no cache can help. */
async function searchLatency({ base, headers }: MeasuredService): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const twoLetters = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second));
  const times: number[] = [];
  for (const query of [...WORDS, ...LETTERS, ...twoLetters]) {
    times.push((await visit(`${base}/v1/search?q=${encodeURIComponent(query)}`, agent, headers)).ms);
  }
  agent.destroy();
  return percentile(times, 0.99);
}
