// Tools of the Model Context Protocol on the bundled catalog. The tools keep the catalog in memory, without a database.
import type { Entry } from '../catalog/entry.js';
import { finish } from '../platform/concurrency/time-slices.js';
import { composeSvg } from '../pictures/compose-svg.js';
import { pictureRequest } from '../pictures/picture-request.js';
import { pictureSpec } from '../pictures/picture-spec.js';
import { parseHost } from '../platform/web/host-name.js';
import { AppError, invalidField } from '../platform/errors.js';
import { indexesOf } from '../search/bundled-indexes.js';
import { nearestSlugs } from '../catalog/nearest-slugs.js';
import { foundIcon, listedIcon, type ToolCatalog } from './mcp-tools.js';
import type { bundledCatalog } from '../catalog/sources/bundle-folder.js';

type Bundle = NonNullable<ReturnType<typeof bundledCatalog>>;

/** Opens the tools. Returned URLs start with `origin`, the URL of the service without a trailing slash. */
export async function openBundledTools(bundle: Bundle, origin: string): Promise<ToolCatalog> {
  const entries = new Map<string, Entry>([...bundle.entries()].map((entry) => [entry.slug, entry]));
  const redirects = new Map<string, string>(bundle.redirects());
  const { search, brands } = await indexesOf(entries.values());
  let drawings: ReadonlyMap<string, string> | undefined;

  async function entryAt(text: string): Promise<Entry> {
    const slug = text.toLowerCase();
    const entry = entries.get(slug) ?? entries.get(redirects.get(slug) ?? '');
    if (entry) return entry;
    const near = await nearestSlugs(entries.values(), text);
    throw new AppError(
      'not_found',
      `There is no entry "${text}"${near.length === 0 ? '.' : `; did you mean ${near.join(', ')}?`}`,
    );
  }
  function page(q: string | undefined, limit: number) {
    const outcome = finish(search.search({ q, limit }));
    if (outcome.kind === 'invalid') throw invalidField(outcome.field, outcome.reason);
    return outcome.page;
  }

  return {
    origin,
    search: async (query, limit) => page(query.trim(), limit).results.map(foundIcon),
    categories: async () => page(undefined, 1).facets.category,
    variants: async (slug) => listedIcon(await entryAt(slug)),
    async drawing(slug, variant) {
      const { variant: chosen, picture } = pictureSpec(await entryAt(slug), pictureRequest('svg', { variant }));
      drawings ??= bundle.drawingsOf();
      return composeSvg(drawings.get(chosen.etag) ?? '', picture);
    },
    async byDomain(domain) {
      const host = parseHost(domain);
      if (host.kind === 'invalid') throw invalidField('domain', host.reason);
      const owner = brands.owner(host);
      const entry = owner && entries.get(owner.slug);
      if (!owner || !entry) throw new AppError('not_found', 'No brand is known for this domain.');
      return { slug: entry.slug, title: entry.title, match: owner.match };
    },
  };
}
