// Drawings for a project: from the bundled catalog, or from a deployment.
import { bundledCatalog } from '../compose/bundled-catalog.js';
import type { Entry } from '../domain/catalog/entry.js';
import { nameKey } from '../domain/catalog/names.js';
import { nearestSlugs } from '../services/catalog/nearest-slugs.js';
import { fail } from './command.js';

type Fields = Pick<Entry, 'slug' | 'title' | 'license' | 'source' | 'provenance' | 'variants'>;
type Variant = Entry['variants'][number];

export interface FoundDrawing {
  readonly entry: Fields;
  readonly variant: Variant;
  /** `currentColor`: in the color of the text around it, where it has one color. */
  readonly svg: string;
}

export interface Wanted {
  /** As written. */
  readonly slugs: readonly string[];
  readonly variant: string;
  readonly paint: 'brand' | 'currentColor';
}

/** From the catalog of this installation. Fails for the first that is not there. */
export async function bundledDrawings({ slugs, variant, paint }: Wanted): Promise<readonly FoundDrawing[]> {
  const bundle = bundledCatalog();
  if (bundle === undefined)
    fail(
      'This installation has no bundled catalog, since it is a clone: give --url and --key of a service, or use the package.',
    );
  const entries = new Map<string, Entry>([...bundle.entries()].map((entry) => [entry.slug, entry]));
  const redirects = new Map<string, string>(bundle.redirects());
  const chosen: Omit<FoundDrawing, 'svg'>[] = [];
  for (const written of slugs) {
    const slug = written.toLowerCase();
    const known = entries.get(slug) ?? entries.get(redirects.get(slug) ?? '');
    const entry = known ?? (await named([...entries.values()], written));
    chosen.push({ entry, variant: variantOf(entry, variant) });
  }
  const drawings = bundle.drawingsOf(new Set(chosen.map((one) => one.variant.etag)));
  return chosen.map((one) => {
    const svg = drawings.get(one.variant.etag) ?? fail(`The bundled catalog has no drawing of ${one.entry.slug}.`);
    const [color = '#000000'] = one.variant.colors;
    return { ...one, svg: paint === 'brand' ? svg.replaceAll('currentColor', color) : svg };
  });
}

/** By its title, or by another name that no other brand has. */
async function named(entries: readonly Entry[], written: string): Promise<Entry> {
  const key = nameKey(written);
  const same = entries.filter(({ title, aliases }) => [title, ...aliases].some((name) => nameKey(name) === key));
  const [only] = same;
  if (same.length === 1 && only) return only;
  const near = same.length > 1 ? same.map(({ slug }) => slug) : await nearestSlugs(entries, written);
  return fail(`There is no brand "${written}"${near.length === 0 ? '.' : `; did you mean ${near.join(', ')}?`}`);
}

function variantOf({ slug, variants }: Fields, name: string): Variant {
  return (
    variants.find((variant) => variant.name === name) ??
    fail(`${slug} has no variant "${name}"; it has ${variants.map((variant) => variant.name).join(', ')}.`)
  );
}

interface Deployment {
  readonly url: URL;
  readonly key: string;
}

type BatchResult =
  | { readonly slug: string; readonly status: 200; readonly entry: Fields }
  | { readonly slug: string; readonly status: number; readonly error: { readonly message: string } };

/** From a running service, counted as its pictures are. Fails for the first that is not there. */
export async function servedDrawings(
  at: Deployment,
  { slugs, variant, paint }: Wanted,
): Promise<readonly FoundDrawing[]> {
  const fields = ['slug', 'title', 'license', 'source', 'provenance', 'variants'];
  const body = JSON.stringify({ slugs, fields });
  const answer = await ask(at, '/v1/catalog/batch', { method: 'POST', body });
  const { results } = (await answer.json()) as { readonly results: readonly BatchResult[] };
  const chosen = results.map((result) => {
    const entry = 'entry' in result ? result.entry : fail(result.error.message);
    return { entry, variant: variantOf(entry, variant) };
  });
  const found: FoundDrawing[] = [];
  for (const one of chosen) {
    const query = new URLSearchParams({
      ...(one.variant.name !== 'default' && { variant: one.variant.name }),
      ...(paint === 'currentColor' && one.variant.recolorable && { color: 'currentColor' }),
    });
    const picture = await ask(at, `/v1/svg/${one.entry.slug}?${query.toString()}`);
    found.push({ ...one, svg: await picture.text() });
  }
  return found;
}

const TIMEOUT_MS = 30_000;

async function ask({ url, key }: Deployment, path: string, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(new URL(path, url), {
    ...options,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    // The key is for this address only.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => fail(`--url: ${url.origin} does not answer (${reasonOf(error)}).`));
  if (answer.ok) return answer;
  const { message } = (await answer.json().catch(() => ({}))) as { readonly message?: string };
  return fail(`${url.origin} answered ${answer.status}${message === undefined ? '.' : `: ${message}`}`);
}

function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}
