// SVG, cached PNG, logo of a domain, 304 and search against Iconify API.
import { median, runLoad, type Load } from './load.js';
import type { Peer } from './peers.js';
import type { MeasuredService } from './service.js';
import { perSecond, type Row } from './table.js';

const SECONDS = 4;
const ROUNDS = 5;
const WARM_UP_SECONDS = 2;

/** Mixed as people type: prefixes, words, aliases; the peer has no typing errors to forgive, so there are none. */
const QUERIES = [
  'git',
  'github',
  'google',
  'amazon',
  'docker',
  'react',
  'micro',
  'apple',
  'node',
  'kube',
  'post',
  'visual studio',
  'python',
  'cloud',
  'face',
  'j',
  'open',
  'adobe',
  'mongo',
  'redis',
  'stripe',
  'slack',
  'twitter',
  'linux',
];

/** Interleaved rounds, so that a slow moment of the machine falls on all of them. */
export async function compareRates(
  loads: Readonly<Record<string, Omit<Load, 'seconds'>>>,
): Promise<Record<string, number>> {
  const rates = new Map<string, number[]>();
  for (const load of Object.values(loads)) await runLoad({ ...load, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, load] of Object.entries(loads)) {
      rates.set(name, [...(rates.get(name) ?? []), (await runLoad({ ...load, seconds: SECONDS })).requestsPerSecond]);
    }
  }
  return Object.fromEntries([...rates].map(([name, values]) => [name, median(values)]));
}

export async function measureDelivery(service: MeasuredService, iconify: Peer): Promise<Row[]> {
  const { base, headers } = service;
  const etag = (await fetch(`${base}/v1/svg/github`, { headers })).headers.get('etag') ?? '';
  const mine = { base, headers };
  const rates = await compareRates({
    peer: { base: iconify.base, paths: ['/simple-icons/github.svg'] },
    svg: { ...mine, paths: ['/v1/svg/github'] },
    png: { ...mine, paths: ['/v1/png/github'] },
    logo: { ...mine, paths: ['/v1/logo/github.com'] },
    page: {
      base,
      headers: { Referer: 'http://localhost:8080/page.html' },
      paths: [`/v1/svg/github?key=${await service.publishableKey('localhost')}`],
    },
    fresh: { base, headers: { ...headers, 'If-None-Match': etag }, paths: ['/v1/svg/github'] },
    peerSearch: {
      base: iconify.base,
      paths: QUERIES.map((query) => `/search?limit=32&query=${encodeURIComponent(query)}`),
    },
    search: { ...mine, paths: QUERIES.map((query) => `/v1/search?limit=32&q=${encodeURIComponent(query)}`) },
  });
  const rate = (name: string) => rates[name] ?? NaN;
  const own: Readonly<Record<string, string>> = { svg: 'our SVG', png: 'our PNG' };
  const row = (what: string, name: string, other: string, atLeast: number): Row => ({
    what,
    measured: perSecond(rate(name)),
    peer: `${own[other] ?? 'Iconify API'} ${perSecond(rate(other))}`,
    figure: rate(name) / rate(other),
    goal: { atLeast },
    unit: '×',
  });
  return [
    row('`GET /v1/svg/github`, key verified and request metered', 'svg', 'peer', 1),
    row('the same picture as PNG from the cache', 'png', 'svg', 0.9),
    row('`GET /v1/logo/github.com`, the same picture by its domain', 'logo', 'png', 0.9),
    row('the same SVG with a publishable key, for one host', 'page', 'svg', 0.95),
    row('304', 'fresh', 'svg', 1),
    row('search, 24 mixed queries, 32 results', 'search', 'peerSearch', 0.7),
  ];
}
