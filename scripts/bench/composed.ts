// Compares compatibility URLs, which imitate the URLs of other logo services, with Blazon's own URLs. Measures strips
// of twelve logos, and archives of favicons, with and without cached pictures.
import { SVG } from './delivery.js';
import { compareRates, median, visitAll } from './load.js';
import type { MeasuredService } from './service.js';
import { ratio, round, type Row } from './table.js';

const LOGOS =
  'github,docker,figma,slack,react,python,rust,redis,mongodb,stripe,linux,gitlab,nginx,kubernetes,spotify,discord,dropbox,firefox,npm,netflix'.split(
    ',',
  );
const IN_STRIP = 12;
const FIRST_SIDE = 32;
/**
 * Number of connections. With many connections, slow responses could time out on a busy machine, and a timeout ends the
 * benchmark.
 */
const CONNECTIONS = 8;

/** Returns the URL of a strip of twelve logos. Each `turn` selects different logos and a different size. */
function stripAt(turn: number, format: 'svg' | 'png'): string {
  const icons = Array.from({ length: IN_STRIP }, (_, index) => LOGOS[(turn + index) % LOGOS.length] ?? '');
  return `/v1/strip?icons=${icons.join(',')}&size=${FIRST_SIDE + turn}&format=${format}`;
}

export async function measureComposed(service: MeasuredService): Promise<Row[]> {
  return [...(await measureCompat(service)), ...(await measureStrips(service))];
}

/**
 * Compares compatibility URLs, which imitate other logo services, with Blazon's own URLs for equal pictures. Uses a
 * publishable key.
 */
async function measureCompat({ base, other: { publishable: key } }: MeasuredService): Promise<Row[]> {
  const at = (path: string) => ({ base, paths: [path] });
  const rates = await compareRates({
    logo: at(`/v1/logo/github.com?size=64&key=${key}`),
    clearbit: at(`/compat/${key}/clearbit/github.com?size=64`),
    svg: at(`/v1/svg/github?variant=mono&color=brand&key=${key}`),
    simpleicons: at(`/compat/${key}/simpleicons/github`),
  });
  return [
    ratio('`GET /compat/{key}/clearbit/github.com`', rates.clearbit, { name: '`/v1/logo`', rate: rates.logo }, 0.9),
    ratio('`GET /compat/{key}/simpleicons/github`', rates.simpleicons, { name: '`/v1/svg`', rate: rates.svg }, 0.9),
  ];
}

async function measureStrips({ base, headers }: MeasuredService): Promise<Row[]> {
  const cold = async (paths: readonly string[]): Promise<number> => {
    const visits = await visitAll(
      paths.map((path) => base + path),
      1,
      headers,
    );
    return median(visits.map(({ ms }) => ms));
  };
  const [strip, archive] = [stripAt(0, 'svg'), `/v1/favicon/${LOGOS[0] ?? ''}/favicon.zip`];
  const turns = LOGOS.map((_, turn) => turn + 1);
  const single = await cold(LOGOS.map((slug) => `/v1/png/${slug}?size=251`));
  const coldRows = [
    ['strip of 12, SVG, cold', await cold(turns.map((turn) => stripAt(turn, 'svg')))],
    ['strip of 12, PNG, cold', await cold(turns.map((turn) => stripAt(turn, 'png')))],
    ['`favicon.zip`, cold: seven pictures', await cold(LOGOS.map((slug) => `/v1/favicon/${slug}/favicon.zip`))],
  ] as const;
  const at = (path: string) => ({ base, headers, paths: [path], connections: CONNECTIONS });
  const rates = await compareRates({
    svg: at(SVG),
    strip: at(strip),
    stripPng: at(stripAt(0, 'png')),
    archive: at(archive),
  });
  const svg = { name: 'our SVG', rate: rates.svg };
  return [
    ...coldRows.map(([what, ms]): Row => {
      const peer = `one cold PNG of 251 px ${round(single)} ms`;
      return { what, measured: `${round(ms)} ms, median of ${LOGOS.length}`, peer, figure: ms / single, unit: '×' };
    }),
    ratio('strip of 12, SVG, from memory', rates.strip, svg),
    ratio('strip of 12, PNG, from memory', rates.stripPng, svg),
    ratio('`favicon.zip`, pictures from memory', rates.archive, svg),
  ];
}
