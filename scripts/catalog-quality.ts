// Figures of catalog quality (docs/catalog-quality.md): defaults in the brand's colors, contrast on either ground, mono, queries, domains.
// Reads the catalog of DATA_DIR; writes nothing.
import { Resvg } from '@resvg/resvg-js';
import { processEnv } from '../config/env.js';
import { readBrandFacts } from '../config/brand-domains.js';
import { openCatalogTools } from '../src/compose/catalog-tools.js';
import { channelsOf, isAchromatic } from '../src/domain/catalog/drawing.js';
import type { Background, Entry } from '../src/domain/catalog/entry.js';
import { composeSvg } from '../src/domain/image/compose-svg.js';
import { pictureOf } from '../src/domain/image/render-spec.js';
import { imageRequest } from '../src/domain/image/request.js';
import type { CatalogStore } from '../src/ports/catalog-store.js';
import { createBrands } from '../src/services/brands.js';
import { buildIndexes } from '../src/services/catalog/indexes.js';
import { createSearch } from '../src/services/search.js';
import { KNOWN_DOMAINS } from '../test/support/known-domains.js';
import { TYPED_QUERIES } from '../test/support/typed-queries.js';
import { packageVersion } from '../src/package-version.js';
import { visibilityOn } from '../workers/sanitize/visibility.js';

const SAMPLE_PX = 48;
/** Colors nearer than this are the same to the eye; of 441. */
const SAME_COLOR = 70;

const tools = await openCatalogTools(processEnv(packageVersion()));
const entries: Entry[] = [];
for await (const entry of tools.store.entries()) entries.push(entry);
print('entries', entries.length);
print('defaults with the color of the brand', `${branded(entries)} of ${entries.filter(hasColor).length}`);
print('entries without mono', entries.filter(({ variants }) => !variants.some(({ name }) => name === 'mono')).length);
for (const ground of ['light', 'dark'] as const) {
  print(`defaults below 3:1 on ${ground}`, await invisible(entries, ground, false));
  print(`pictures with on=${ground} below 3:1`, await invisible(entries, ground, true));
}
await judgeTables(tools.store);
await tools.close();

function print(what: string, value: string | number): void {
  process.stdout.write(`${what.padEnd(44)} ${value}\n`);
}

function hasColor({ hex }: Entry): boolean {
  return hex !== null && !isAchromatic(hex);
}

function branded(all: readonly Entry[]): number {
  return all.filter(({ hex, variants: [main] }) => hex !== null && !isAchromatic(hex) && isNear(main.colors, hex))
    .length;
}

function isNear(colors: readonly string[], hex: string): boolean {
  const channels = channelsOf(hex);
  return colors.some(
    (color) => Math.hypot(...channelsOf(color).map((channel, at) => channel - (channels[at] ?? 0))) <= SAME_COLOR,
  );
}

async function invisible(all: readonly Entry[], ground: Background, asked: boolean): Promise<number> {
  let count = 0;
  for (const entry of all) {
    const { variant, picture } = pictureOf(
      entry,
      imageRequest('png', { size: SAMPLE_PX, ...(asked && { on: ground }) }),
    );
    const asset = await tools.store.asset(variant.etag);
    if (asset === undefined) continue;
    const image = new Resvg(composeSvg(asset, picture), { font: { loadSystemFonts: false } }).render();
    const sample = { pixels: image.pixels, width: image.width, height: image.height };
    if (!visibilityOn(sample, ground).visible) count += 1;
  }
  return count;
}

async function judgeTables(store: CatalogStore): Promise<void> {
  const brandFacts = readBrandFacts();
  const indexes = await buildIndexes({ entries: store.entries(), generation: 1, brandFacts, isClosed: () => false });
  const index = { current: () => Promise.resolve(indexes), peek: () => indexes };
  const search = createSearch({ index });
  const brands = createBrands({ index, catalog: store });
  let [first, three] = [0, 0];
  for (const [q, slugs] of TYPED_QUERIES) {
    const outcome = await search.search({ q, limit: 3 });
    const found = outcome.kind === 'page' ? outcome.page.results.map(({ slug }) => slug) : [];
    if (slugs.includes(found[0] ?? '')) first += 1;
    if (found.some((slug) => slugs.includes(slug))) three += 1;
  }
  print('queries first, in the top three', `${first}, ${three} of ${TYPED_QUERIES.length}`);
  let [right, unknown, wrong] = [0, 0, 0];
  for (const [domain, slugs] of KNOWN_DOMAINS) {
    const outcome = await brands.lookup({ domain });
    const got = outcome.kind === 'found' ? outcome.entry.slug : 'none';
    if (slugs.includes(got)) right += 1;
    else if (got === 'none') unknown += 1;
    else wrong += 1;
  }
  print('domains right, unknown, wrong', `${right}, ${unknown}, ${wrong} of ${KNOWN_DOMAINS.length}`);
}
