// Drawings that the catalog shows, each with the file of the package that it was made of.
import { hash } from 'node:crypto';
import { openPackages } from '../../src/compose/icon-sources.js';
import { drawingEtag, type CleanDrawing } from '../../src/domain/catalog/drawing.js';
import type { IconSource } from '../../src/ports/catalog-sources.js';
import type { CatalogStore } from '../../src/ports/catalog-store.js';
import type { Comparison, SourceFile } from './compare-files.js';
import { isWithin, type Difference } from './compare-pictures.js';

/** A drawing may differ by more than `TOLERANCE`, which edges of intricate drawings exceed, before a person sees it. */
export const VISIBLE_DIFFERENCE: Difference = { unexplained: 0.02, mean: 0.02 };

export interface CatalogDrawing extends SourceFile {
  /** `slug/variant`; several entries may show one drawing. */
  readonly shownAs: readonly string[];
  /** Content hashes of the stored texts. */
  readonly stored: readonly string[];
}

/**
 * By name, which is `package:key/drawing`. Derived variants have no file. Throws while an import is under way. Drawings of sources
 * other than the installed packages are left out.
 */
export async function catalogDrawings(store: CatalogStore): Promise<readonly CatalogDrawing[]> {
  const shown = await shownDrawings(store);
  const sources = await openPackages();
  const names = await candidateNames(store, sources, shown);
  const drawings: CatalogDrawing[] = [];
  for (const source of sources)
    for await (const item of source.items()) {
      if (item.kind !== 'icon') continue;
      for (const { name, svg } of item.icon.drawings) {
        const known = names.get(`${source.id}:${item.icon.key}/${name}`);
        if (known === undefined) continue;
        drawings.push({
          name: `${source.package}:${item.icon.key}/${name}`,
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

/** By `etag`. */
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

/** Etags of shown variants, by `source:key/drawing`. */
async function candidateNames(
  store: CatalogStore,
  sources: readonly IconSource[],
  shown: ReadonlyMap<string, Shown>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, readonly string[]>();
  const session = await store.beginImport();
  if (session === undefined) throw new Error('An import is under way. Wait until it has ended.');
  try {
    for (const { id } of sources)
      for await (const { key, variants } of session.candidates(id))
        for (const { name, etag, derived } of variants) {
          if (derived === true || !shown.has(etag)) continue;
          // A glyph is its own `mono`.
          const isGlyph = name === 'mono' && variants.some((other) => other.name === 'default' && other.recolorable);
          for (const drawing of isGlyph ? ['mono', 'default'] : [name]) {
            const place = `${id}:${key}/${drawing}`;
            names.set(place, [...(names.get(place) ?? []), etag]);
          }
        }
  } finally {
    await session.close();
  }
  return names;
}

/** The same ones for as long as they are in the catalog. */
export function sampleOf(drawings: readonly CatalogDrawing[], size: number): readonly CatalogDrawing[] {
  const order = new Map(drawings.map(({ name }) => [name, hash('sha256', name)]));
  const orderOf = ({ name }: CatalogDrawing): string => order.get(name) ?? '';
  return [...drawings].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)).slice(0, size);
}

/** False where the catalog was imported by another version of the sanitizer or package: then something else was compared. */
export function isStored({ stored }: CatalogDrawing, clean: CleanDrawing | undefined): boolean {
  return clean !== undefined && stored.includes(drawingEtag(clean.svg));
}

export function differs({ verdict, png, svg }: Comparison): boolean {
  if (verdict === 'accepted-broken') return false;
  return [png, svg].some((one) => one === undefined || !isWithin(one, VISIBLE_DIFFERENCE));
}
