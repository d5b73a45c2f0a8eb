// Compares the request rates of SVG, search and icons with Iconify API. Compares the rates of other requests with the
// rate of Blazon's own SVG or PNG.
import { compareRates } from './load.js';
import { startIconify } from './peers.js';
import type { MeasuredService } from './service.js';
import { ratio, type Row } from './table.js';

export const SVG = '/v1/svg/github';
export const PEER_SVG = '/simple-icons/github.svg';
/**
 * Typical search queries: prefixes, words and aliases. There are no typing errors, because Iconify API does not correct
 * them.
 */
const QUERIES =
  'git,github,google,amazon,docker,react,micro,apple,node,kube,post,visual studio,python,cloud,face,j,open,adobe,mongo,redis,stripe,slack,twitter,linux'.split(
    ',',
  );
/** Icons that are single-color glyphs with the same name in both catalogs. */
const ICONS =
  'github,docker,google,npm,react,typescript,python,rust,redis,mongodb,stripe,figma,linux,gitlab,nginx,kubernetes,spotify,discord,dropbox,firefox';
const COUNTER = '/v1/public/visitor-counter/example';
/** User agent of a browser. Visitor counters ignore known bots, and load tools are known bots. */
const VISITOR = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
};
export const VISITS = { method: 'POST', headers: VISITOR, paths: [`${COUNTER}/hits`] } as const;

export async function measureDelivery({ base, headers, other }: MeasuredService): Promise<Row[]> {
  const iconify = await startIconify();
  const etag = (await fetch(base + SVG, { headers })).headers.get('etag') ?? '';
  const mine = { base, headers };
  const page = { Referer: 'http://localhost:8080/page.html' };
  const icons = `/iconify/${other.publishable}/blazon-mono.json?icons=${ICONS}`;
  const peerIcons = `/simple-icons.json?icons=${ICONS}`;
  const queries = (path: string) => QUERIES.map((query) => path + encodeURIComponent(query));
  try {
    for (const url of [base + icons, iconify.base + peerIcons]) await assertAllIcons(url);
    const rates = await compareRates({
      peer: { base: iconify.base, paths: [PEER_SVG] },
      svg: { ...mine, paths: [SVG] },
      png: { ...mine, paths: ['/v1/png/github'] },
      logo: { ...mine, paths: ['/v1/logo/github.com'] },
      page: { base, headers: page, paths: [`${SVG}?key=${other.publishable}`] },
      fresh: { base, headers: { ...headers, 'If-None-Match': etag }, paths: [SVG] },
      peerSearch: { base: iconify.base, paths: queries('/search?limit=32&query=') },
      search: { ...mine, paths: queries('/v1/search?limit=32&q=') },
      peerIcons: { base: iconify.base, paths: [peerIcons] },
      icons: { base, paths: [icons] },
      visits: { base, ...VISITS },
      badges: { base, headers: VISITOR, paths: [`${COUNTER}/badge.svg`] },
    });
    const peer = (rate: number) => ({ name: 'Iconify API', rate });
    const svg = { name: 'our SVG', rate: rates.svg };
    return [
      ratio(`\`GET ${SVG}\`, key verified and request metered`, rates.svg, peer(rates.peer), 1),
      ratio('the same picture as PNG from the cache', rates.png, svg, 0.9),
      ratio('`GET /v1/logo/github.com`, that PNG by its domain', rates.logo, { name: 'our PNG', rate: rates.png }, 0.9),
      ratio('the same SVG with a publishable key', rates.page, svg, 0.95),
      ratio('304', rates.fresh, svg, 1),
      ratio('search, 24 mixed queries, 32 results', rates.search, peer(rates.peerSearch), 0.7),
      ratio('`GET /iconify/{publishableKey}/{prefix}.json`, 20 icons', rates.icons, peer(rates.peerIcons), 0.8),
      ratio('a visit counted (`POST …/hits`)', rates.visits, svg, 0.5),
      ratio('a visit counted with its badge (`GET …/badge.svg`)', rates.badges, svg),
    ];
  } finally {
    iconify.stop();
  }
}

async function assertAllIcons(url: string): Promise<void> {
  const { icons = {} } = (await (await fetch(url)).json()) as { readonly icons?: object };
  const missing = ICONS.split(',').filter((name) => !(name in icons));
  if (missing.length > 0) throw new Error(`${url} answered without ${missing.join(', ')}`);
}
