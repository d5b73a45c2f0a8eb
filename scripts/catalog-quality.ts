// Figures of catalog quality (docs/catalog-quality.md): defaults in the brand's colors, contrast on either background, mono.
// Reads the catalog of DATA_DIR; writes nothing.
import { Resvg } from '@resvg/resvg-js';
import { processEnv } from '../config/env.js';
import { openCatalogTools } from '../src/compose/catalog-tools.js';
import { colorDistance, isAchromatic, SAME_COLOR } from '../src/domain/catalog/drawing.js';
import type { Background, Entry } from '../src/domain/catalog/entry.js';
import { composeSvg } from '../src/domain/picture/compose-svg.js';
import { pictureSpec } from '../src/domain/picture/picture-spec.js';
import { pictureRequest } from '../src/domain/picture/picture-request.js';
import { packageVersion } from '../src/package-version.js';
import { visibilityOn } from '../workers/thumbnail/visibility.js';

const SAMPLE_PX = 48;

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
