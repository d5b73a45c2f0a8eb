// Measures the catalog of DATA_DIR for docs/catalog-quality.md: brand colors of the default variants, contrast on light
// and dark backgrounds, `mono` variants, and drawings that differ from their source in Chromium.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { Command } from 'commander';
import { processEnv } from '../config/env.js';
import { openCatalogTools } from '../src/catalog/catalog-tools.js';
import { colorDistance, isAchromatic, SAME_COLOR } from '../src/catalog/drawing.js';
import type { Background, Entry } from '../src/catalog/entry.js';
import { composeSvg } from '../src/pictures/compose-svg.js';
import { pictureSpec } from '../src/pictures/picture-spec.js';
import { pictureRequest } from '../src/pictures/picture-request.js';
import { packageVersion } from '../src/platform/package-version.js';
import { visibilityOn } from '../workers/thumbnail/visibility.js';
import { compareCatalog } from './drawings/compare-catalog.js';
import { writeSheets } from './drawings/sheets.js';

const SAMPLE_PX = 48;

interface Options {
  readonly cache: string;
  readonly sample?: string;
  readonly sheets?: string;
}

const options = new Command()
  .name('npm run catalog-quality --')
  .option('--sample <number>', 'number of drawings to compare with their source, always the same ones (default: all)')
  .option('--cache <folder>', "folder for Chromium's pictures", join(tmpdir(), 'blazon-drawing-references'))
  .option('--sheets <folder>', 'write sheets of the drawings that differ: source, PNG and SVG, on white and on black')
  .parse()
  .opts<Options>();

const tools = await openCatalogTools(processEnv(packageVersion()));
const entries: Entry[] = [];
for await (const entry of tools.store.entries()) entries.push(entry);
print('entries', entries.length);
print('defaults with the color of the brand', `${branded(entries)} of ${entries.filter(hasColor).length}`);
print('entries without mono', entries.filter(({ variants }) => !variants.some(({ name }) => name === 'mono')).length);
for (const background of ['light', 'dark'] as const) {
  print(`defaults below 3:1 on ${background}`, await invisible(entries, background, false));
  print(`pictures with on=${background} below 3:1`, await invisible(entries, background, true));
}
await compareDrawings();
await tools.close();

async function compareDrawings(): Promise<void> {
  const size = options.sample === undefined ? Infinity : Number(options.sample);
  const { compared, differing, outdated } = await compareCatalog(tools.store, { cache: options.cache, size });
  const share = ((differing.length / compared) * 100).toFixed(2);
  print('drawings compared with their source', compared);
  print('  imported by another version', `${outdated.length} ${outdated.slice(0, 5).join(' ')}`);
  print('  different by more than 2 %', `${differing.length} (${share} %)`);
  for (const { name, png, svg, message, shownAs } of differing) {
    const figures = [png, svg].map((one) => (one ? `${percent(one.unexplained)} / ${percent(one.mean)}` : '–'));
    print(`  ${name}`, `PNG ${figures.join(', SVG ')} ${shownAs.join(' ')} ${message ?? ''}`);
  }
  if (options.sheets !== undefined) await writeSheets(options.sheets, differing);
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}

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
  return colors.some((color) => colorDistance(color, hex) <= SAME_COLOR);
}

async function invisible(all: readonly Entry[], background: Background, asked: boolean): Promise<number> {
  let count = 0;
  for (const entry of all) {
    const { variant, picture } = pictureSpec(
      entry,
      pictureRequest('png', { size: SAMPLE_PX, ...(asked && { on: background }) }),
    );
    const drawing = await tools.store.drawing(variant.etag);
    if (drawing === undefined) continue;
    const image = new Resvg(composeSvg(drawing, picture), { font: { loadSystemFonts: false } }).render();
    const sample = { pixels: image.pixels, width: image.width, height: image.height };
    if (!visibilityOn(sample, background).visible) count += 1;
  }
  return count;
}
