// Pictures of several drawings: a strip of twelve logos, and the icons of a site as an archive, cold and warm.
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

/** Twelve of the logos, others for each `turn`. */
function stripAt(turn: number, format: 'svg' | 'png'): string {
  const icons = Array.from({ length: IN_STRIP }, (_, index) => LOGOS[(turn + index) % LOGOS.length] ?? '');
  return `/v1/strip?icons=${icons.join(',')}&size=${FIRST_SIDE + turn}&format=${format}`;
}

export async function measureComposed({ base, headers }: MeasuredService): Promise<Row[]> {
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
  const rates = await compareRates({
    svg: { base, headers, paths: [SVG] },
    strip: { base, headers, paths: [strip] },
    stripPng: { base, headers, paths: [stripAt(0, 'png')] },
    archive: { base, headers, paths: [archive] },
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
