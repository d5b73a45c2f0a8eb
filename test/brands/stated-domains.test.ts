// Hosts in config/brand-domains.json that come from icon packages. A package must contain a URL of the brand under the
// same registrable domain.
import { expect } from 'chai';
import { getDomain } from 'tldts';
import { brandDomainsSchema } from '../../config/brand-domains.js';
import { readConfigFile } from '../../config/json-file.js';
import type { Candidate } from '../../src/catalog/import/candidate.js';
import type { Slug } from '../../src/catalog/entry.js';
import { openImportedCatalog } from '../support/imported-catalog.js';

type Catalog = Awaited<ReturnType<typeof openImportedCatalog>>;

const FROM_PACKAGES = 'A page under the same domain in the packages';
const WITHOUT_SOURCE = 'Further hosts';

describe('stated hosts of brands', () => {
  let catalog: Catalog;
  /** Name of a brand in a package → web pages of the brand. */
  const pages = new Map<string, string[]>();

  before(async () => {
    catalog = await openImportedCatalog();
    const session = await catalog.store.beginImport();
    if (session === undefined) return expect.fail('another import is under way');
    for (const { id } of await catalog.store.sources())
      for await (const candidate of session.candidates(id)) {
        const known = pages.get(candidate.key);
        pages.set(candidate.key, [...(known ?? []), ...pagesOf(candidate)]);
      }
    await session.close();
  });

  after(() => catalog.close());

  /**
   * Returns the web pages for a name: the pages of brands with this name in the icon packages (`pages`), and the pages
   * of the catalog entry with this name. If the entry was renamed, adds the pages for its new name.
   */
  async function pagesOfBrand(name: string): Promise<readonly string[]> {
    const found = await catalog.store.find(name as Slug);
    const named = pages.get(name) ?? [];
    if (found.kind === 'moved') return [...named, ...(await pagesOfBrand(found.to))];
    return found.kind === 'entry' ? [...named, ...pagesOf(found.entry)] : named;
  }

  it('have the same domain as a page of the brand in a package', async () => {
    const { hosts } = readConfigFile('brand-domains.json', brandDomainsSchema);
    const stated = hosts.find(({ source }) => source.startsWith(FROM_PACKAGES))?.of ?? {};
    expect(Object.keys(stated)).to.have.length.greaterThan(200);
    for (const [name, list] of Object.entries(stated)) {
      const domains = (await pagesOfBrand(name)).map((page) => getDomain(page));
      for (const host of list) expect(domains, name).to.include(getDomain(host));
    }
  });

  it('have a reference each if the source is many places', () => {
    const { hosts } = readConfigFile('brand-domains.json', brandDomainsSchema);
    const placed = hosts.filter(({ refs }) => refs !== undefined);
    expect(placed).to.have.length.greaterThan(3);
    for (const { source, of, refs } of placed)
      expect(Object.keys(refs ?? {}), source).to.have.members(Object.values(of).flat());
  });

  it('have a source, except further hosts of brands with a sourced main site', async () => {
    const { hosts } = readConfigFile('brand-domains.json', brandDomainsSchema);
    const without = hosts.filter(({ source }) => source.startsWith(WITHOUT_SOURCE));
    const further = Object.entries(without[0]?.of ?? {});
    expect(without).to.have.length(1);
    expect(further).to.have.length.greaterThan(10);
    for (const [name, list] of further) {
      const found = await catalog.store.find(name as Slug);
      if (found.kind !== 'entry') return expect.fail(`${name} is no entry`);
      const { domain, domains } = found.entry;
      expect(
        [domain, ...domains].filter((host) => host !== null && !list.includes(host)),
        name,
      ).not.to.have.length(0);
    }
  });
});

function pagesOf(
  facts: Pick<Candidate, 'website' | 'guidelines'> & { origin?: string | null; source?: string | null },
) {
  const { website, guidelines, origin, source } = facts;
  return [website, guidelines, origin, source].filter((page) => typeof page === 'string');
}
