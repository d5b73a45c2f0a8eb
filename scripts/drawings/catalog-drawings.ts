// Finds the drawings of the catalog and their source files in the installed packages.
import { hash } from 'node:crypto';
import { openPackages } from '../../src/catalog/sources/icon-sources.js';
import { drawingEtag, type CleanDrawing } from '../../src/catalog/drawing.js';
import type { IconSource } from '../../src/catalog/import/catalog-sources.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import type { Comparison, SourceFile } from './compare-files.js';
import { isWithin, type Difference } from './compare-pictures.js';

/**
 * Minimum difference that a person can see. It is larger than `TOLERANCE`, because small differences at edges add up in
 * drawings with many details.
 */
const VISIBLE_DIFFERENCE: Difference = { unexplained: 0.02, mean: 0.02 };

export interface CatalogDrawing extends SourceFile {
  /** Catalog variants with this drawing, as `slug/variant`. */
  readonly shownAs: readonly string[];
  /** Hashes of the texts that the catalog stores for this drawing. */
  readonly stored: readonly string[];
}

/**
 * Returns the drawings of the catalog, sorted by name (`package:key/drawing`). Omits derived variants, and drawings
 * that do not come from the installed packages. Throws while an import is running.
 */
export async function catalogDrawings(store: CatalogStore): Promise<readonly CatalogDrawing[]> {
  const shown = await shownDrawings(store);
  const sources = await openPackages();
  const etags = await candidateEtags(store, sources, shown);
  const drawings: CatalogDrawing[] = [];
  for (const source of sources)
    for await (const item of source.items()) {
      if (item.kind !== 'icon') continue;
      const { key, drawings: files } = item.icon;
      const hasMono = files.some(({ name }) => name === 'mono');
      for (const { name, svg } of files) {
        // If the source has no drawing `mono`, the catalog may use the drawing `default` as the variant `default` and
        // as the variant `mono`.
        const variants = name === 'default' && !hasMono ? ['default', 'mono'] : [name];
        const known = variants.flatMap((variant) => etags.get(`${source.id}:${key}/${variant}`) ?? []);
        if (known.length === 0) continue;
        drawings.push({
          name: `${source.package}:${key}/${name}`,
          bytes: Buffer.from(svg),
          shownAs: known.flatMap((etag) => shown.get(etag)?.shownAs ?? []),
          stored: known.flatMap((etag) => shown.get(etag)?.stored ?? []),
        });
      }
    }
  return drawings.sort((one, other) => (one.name < other.name ? -1 : 1));
}

interface Shown {
  readonly shownAs: string[];
  readonly stored: string;
}

/** Returns `etag` of a drawing → catalog variants with this drawing. Omits derived variants. */
async function shownDrawings(store: CatalogStore): Promise<ReadonlyMap<string, Shown>> {
  const shown = new Map<string, Shown>();
  for await (const { slug, variants } of store.entries())
    for (const { name, etag, derived } of variants) {
      if (derived === true) continue;
      const known = shown.get(etag) ?? { shownAs: [], stored: drawingEtag((await store.drawing(etag)) ?? '') };
      known.shownAs.push(`${slug}/${name}`);
      shown.set(etag, known);
    }
  return shown;
}

/** Returns the `etag` of each visible variant by `source:key/variant`. */
async function candidateEtags(
  store: CatalogStore,
  sources: readonly IconSource[],
  shown: ReadonlyMap<string, Shown>,
): Promise<ReadonlyMap<string, string>> {
  const etags = new Map<string, string>();
  const session = await store.beginImport();
  if (session === undefined) throw new Error('An import is running. Wait until it has finished.');
  try {
    for (const { id } of sources)
      for await (const { key, variants } of session.candidates(id))
        for (const { name, etag, derived } of variants)
          if (derived !== true && shown.has(etag)) etags.set(`${id}:${key}/${name}`, etag);
  } finally {
    await session.close();
  }
  return etags;
}

/** Parts of SVG that are often drawn incorrectly. */
const DIFFICULT = /<(?:filter|mask|use|symbol|pattern)\b|mix-blend-mode|isolation/;

/**
 * Selects at most `size` drawings. The same drawings always give the same selection. Up to half of the selected
 * drawings match DIFFICULT.
 */
export function sampleOf(drawings: readonly CatalogDrawing[], size: number): readonly CatalogDrawing[] {
  if (size >= drawings.length) return drawings;
  const order = new Map(drawings.map(({ name }) => [name, hash('sha256', name)]));
  const orderOf = ({ name }: CatalogDrawing): string => order.get(name) ?? '';
  const shuffled = [...drawings].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  const difficult = shuffled.filter(({ bytes }) => DIFFICULT.test(bytes.toString())).slice(0, Math.floor(size / 2));
  const others = shuffled.filter((drawing) => !difficult.includes(drawing));
  return [...difficult, ...others.slice(0, size - difficult.length)];
}

/**
 * Returns true if the catalog stores this result of the sanitizer. If not, the catalog was imported with another
 * version of the sanitizer or of the icon package. A comparison is then meaningless.
 */
export function isStored({ stored }: CatalogDrawing, clean: CleanDrawing | undefined): boolean {
  return clean !== undefined && stored.includes(drawingEtag(clean.svg));
}

export function differs({ verdict, png, svg }: Comparison): boolean {
  if (verdict === 'accepted-broken') return false;
  return [png, svg].some((one) => one === undefined || !isWithin(one, VISIBLE_DIFFERENCE));
}
