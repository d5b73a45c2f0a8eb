// The Iconify protocol against Iconify API: twenty icons in one request.
import { compareRates } from './delivery.js';
import type { Peer } from './peers.js';
import type { MeasuredService } from './service.js';
import { perSecond, type Row } from './table.js';

/** In both catalogs under the same name, as glyphs of one color. */
const NAMES = [
  ...['github', 'docker', 'google', 'npm', 'react', 'typescript', 'python', 'rust', 'redis', 'mongodb'],
  ...['stripe', 'figma', 'linux', 'gitlab', 'nginx', 'kubernetes', 'spotify', 'discord', 'dropbox', 'firefox'],
];

export async function measureIconify(service: MeasuredService, iconify: Peer): Promise<Row[]> {
  const key = await service.publishableKey();
  const icons = NAMES.join(',');
  const ours = `/iconify/${key}/blazon-mono.json?icons=${icons}`;
  const theirs = `/simple-icons.json?icons=${icons}`;
  await assertAll(service.base + ours);
  await assertAll(iconify.base + theirs);
  const rates = await compareRates({
    peer: { base: iconify.base, paths: [theirs] },
    icons: { base: service.base, paths: [ours] },
  });
  const [own = NaN, peer = NaN] = [rates.icons, rates.peer];
  return [
    {
      what: `\`GET /iconify/{publishableKey}/{prefix}.json\`, ${NAMES.length} icons`,
      measured: perSecond(own),
      peer: `Iconify API ${perSecond(peer)}`,
      figure: own / peer,
      goal: { atLeast: 0.8 },
      unit: '×',
    },
  ];
}

async function assertAll(url: string): Promise<void> {
  const answer = (await (await fetch(url)).json()) as { readonly icons?: Readonly<Record<string, unknown>> };
  const found = Object.keys(answer.icons ?? {}).length;
  if (found !== NAMES.length) throw new Error(`${url} answered ${found} of ${NAMES.length} icons`);
}
