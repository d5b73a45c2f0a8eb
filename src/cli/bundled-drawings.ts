// Drawings for a project from the bundled catalog.
import { bundledCatalog } from '../catalog/sources/bundle-folder.js';
import { bundledOwner } from '../search/bundled-indexes.js';
import type { Entry, Variant } from '../catalog/entry.js';
import { nameKey } from '../catalog/names.js';
import { nearestSlugs } from '../catalog/nearest-slugs.js';
import { fail } from '../platform/command-line/command.js';

export interface FoundDrawing {
  readonly entry: Pick<Entry, 'slug' | 'title' | 'license' | 'source' | 'provenance'>;
  readonly variant: Pick<Variant, 'name' | 'width' | 'height'>;
  /** SVG text. If it contains `currentColor`, the drawing gets the color of the surrounding text. */
  readonly svg: string;
}

export interface Wanted {
  /** Slugs, domains or names of brands, as the user typed them. */
  readonly slugs: readonly string[];
  readonly variant: string;
  readonly paint: 'brand' | 'currentColor';
}

/** Returns drawings from the catalog of this installation. Throws if a drawing is not in the catalog. */
export async function bundledDrawings({ slugs, variant, paint }: Wanted): Promise<readonly FoundDrawing[]> {
  const bundle = bundledCatalog();
  if (bundle === undefined)
    fail(
      'A clone of the repository has no bundled catalog. Use the npm package, or specify a service with --url ' +
        'and --key.',
    );
  const entries = new Map<string, Entry>([...bundle.entries()].map((entry) => [entry.slug, entry]));
  const redirects = new Map<string, string>(bundle.redirects());
  const chosen: { readonly entry: Entry; readonly variant: Variant }[] = [];
  for (const written of slugs) {
    const slug = written.toLowerCase();
    const known = entries.get(slug) ?? entries.get(redirects.get(slug) ?? '');
    const entry = known ?? (await named(entries, written));
    chosen.push({ entry, variant: variantOf(entry, variant) });
  }
  const drawings = bundle.drawingsOf(new Set(chosen.map((one) => one.variant.etag)));
  return chosen.map((one) => {
    const svg = drawings.get(one.variant.etag) ?? fail(`The bundled catalog has no drawing of ${one.entry.slug}.`);
    const [color = '#000000'] = one.variant.colors;
    return { ...one, svg: paint === 'brand' ? svg.replaceAll('currentColor', color) : svg };
  });
}

/** Finds a brand by its title, by its domain, or by an alias that belongs to no other brand. */
async function named(entries: ReadonlyMap<string, Entry>, written: string): Promise<Entry> {
  const key = nameKey(written);
  const all = [...entries.values()];
  const same = all.filter(({ title, aliases }) => [title, ...aliases].some((name) => nameKey(name) === key));
  const [only] = same;
  if (same.length === 1 && only) return only;
  const owner = entries.get((await bundledOwner(all, written)) ?? '');
  if (owner) return owner;
  const near = same.length > 1 ? same.map(({ slug }) => slug) : await nearestSlugs(all, written);
  return fail(`There is no brand "${written}"${near.length === 0 ? '.' : `; did you mean ${near.join(', ')}?`}`);
}

interface WithVariants<Named> {
  readonly slug: string;
  readonly variants: readonly Named[];
}

export function variantOf<Named extends { readonly name: string }>(
  { slug, variants }: WithVariants<Named>,
  name: string,
): Named {
  return (
    variants.find((variant) => variant.name === name) ??
    fail(`${slug} has no variant "${name}"; it has ${variants.map((variant) => variant.name).join(', ')}.`)
  );
}
