// Compares the catalog's drawings with their source files.
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import { openBrowserPictures } from './browser-pictures.js';
import { catalogDrawings, differs, isStored, sampleOf } from './catalog-drawings.js';
import { compareFiles, type Comparison } from './compare-files.js';
import { openProductPictures } from './product-pictures.js';

interface DifferingDrawing extends Comparison {
  /** Catalog variants with this drawing, as `slug/variant`. */
  readonly shownAs: readonly string[];
}

interface Options {
  /** Folder that caches the pictures from Chromium. */
  readonly cache: string;
  /** Maximum number of drawings to compare. Each run selects the same drawings. */
  readonly size: number;
}

/** Compares the catalog with its source files. Throws if Chromium is not installed. */
export async function compareCatalog(store: CatalogStore, { cache, size }: Options) {
  const drawings = sampleOf(await catalogDrawings(store), size);
  const [browser, product] = [await openBrowserPictures(cache), openProductPictures()];
  const differing: DifferingDrawing[] = [];
  const outdated: string[] = [];
  let compared = 0;
  try {
    for await (const comparison of compareFiles(drawings, { browser, product })) {
      const drawing = drawings[compared++];
      if (drawing === undefined) continue;
      if (!isStored(drawing, comparison.clean)) outdated.push(drawing.name);
      if (differs(comparison)) differing.push({ ...comparison, shownAs: drawing.shownAs });
      if (process.stderr.isTTY) process.stderr.write(`\r${compared} of ${drawings.length}`);
    }
  } finally {
    await Promise.all([browser.close(), product.close()]);
  }
  return { compared, differing, outdated };
}
