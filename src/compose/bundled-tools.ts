// Tools of the Model Context Protocol above the bundled catalog: in memory, without a database.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readKinds } from '../../config/kinds.js';
import type { Entry } from '../catalog/entry.js';
import { finish } from '../platform/concurrency/steps.js';
import { composeSvg } from '../pictures/compose-svg.js';
import { pictureRequest } from '../pictures/picture-request.js';
import { pictureSpec } from '../pictures/picture-spec.js';
import { readHostQuery } from '../search/host-query.js';
import { parseHost } from '../platform/web/host-name.js';
import { AppError, invalidField } from '../platform/errors.js';
import { buildIndexes } from '../brands/indexes.js';
import { nearestSlugs } from '../search/nearest-slugs.js';
import { foundIcon, listedIcon, type ToolCatalog } from '../agents/mcp-tools.js';
import type { bundledCatalog } from './bundled-catalog.js';

type Bundle = NonNullable<ReturnType<typeof bundledCatalog>>;

/** Indexes of search and brand lookup over these entries. */
const indexesOf = (entries: Iterable<Entry>) =>
  buildIndexes({
    entries: iterate(entries),
    ...{ generation: 1, brandFacts: readBrandFacts(), kinds: readKinds().kinds },
    pause: () => undefined,
  });

/** The slug of the brand that a host or URL belongs to. Undefined also for other texts. */
export async function bundledOwner(entries: Iterable<Entry>, text: string): Promise<string | undefined> {
  const host = readHostQuery(text)?.host;
  return host && (await indexesOf(entries)).brands.owner(host)?.slug;
}

/** `origin`: that of the addresses, without a slash at its end. */
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

async function* iterate<Item>(items: Iterable<Item>): AsyncIterable<Item> {
  yield* items;
}
