// Famous brands in the imported catalog: each domain or name must return the right entry first.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readBrandFacts } from '../../config/brand-domains.js';
import { publicCatalog } from '../../src/catalog/account-catalogs.js';
import { createBrands, type BrandQuery, type Brands } from '../../src/brands/brands.js';
import type { CatalogIndex } from '../../src/search/indexes.js';
import { createSearch, type Search } from '../../src/search/search.js';
import { openImportedCatalog } from '../support/imported-catalog.js';
import { slugsOf } from '../support/indexes.js';
import { createTurns } from '../../src/platform/concurrency/time-slices.js';
import { someClient } from '../support/pictures.js';

/** Reads a file of test/data with lines of the form `query = slug | slug`. */
function table(name: string): readonly (readonly [asked: string, slugs: readonly string[]])[] {
  const text = readFileSync(new URL(`../../../test/data/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [asked = '', slugs = ''] = line.split(' = ');
      return [asked, slugs.split(' | ')] as const;
    });
}

const FAMOUS_DOMAINS = table('famous-domains');
const FAMOUS_QUERIES = table('famous-queries');
const KNOWN_DOMAINS = table('known-domains');
const TYPED_QUERIES = table('typed-queries');
const REMEMBERED_DOMAINS = table('domains-from-memory');

describe('famous brands in the imported catalog', () => {
  let catalog: Awaited<ReturnType<typeof openImportedCatalog>>;
  let index: CatalogIndex;
  let brands: Brands;
  let search: Search;

  before(async () => {
    catalog = await openImportedCatalog();
    ({ index } = catalog);
    brands = createBrands({ index, turns: createTurns() });
    search = createSearch({ index, turns: createTurns(), cacheBytes: 2 ** 24 });
    await index.current();
  });

  after(() => catalog.close());

  const foundBy = async (q: string): Promise<readonly string[]> => {
    const outcome = await search.search({ q, limit: 20 }, '');
    return outcome.kind === 'page' ? slugsOf(outcome.page) : [];
  };
  const firstOf = async (q: string) => (await foundBy(q))[0];
  const brandOf = async (query: BrandQuery) => {
    const outcome = await brands.lookup(
      query,
      publicCatalog({ ...catalog.store, peek: () => undefined, drawing: () => '' }),
      someClient(),
    );
    return outcome.kind === 'found' ? outcome.entry.slug : outcome.kind;
  };

  /** Prints how many queries have the expected first result. Fails with a list of the other queries. */
  async function judge(
    what: string,
    asked: typeof FAMOUS_DOMAINS,
    answer: (one: string) => Promise<string | undefined>,
  ) {
    const misses: string[] = [];
    for (const [one, [slug]] of asked) {
      const got = await answer(one);
      if (got !== slug) misses.push(`${one}: wanted ${slug ?? ''}, got ${got ?? 'nothing'}`);
    }
    process.stdout.write(`      ${asked.length - misses.length} of ${asked.length} ${what} come first\n`);
    expect(misses).to.deep.equal([]);
  }

  it('answers at least 150 domains and 100 queries', () => {
    expect(new Set(FAMOUS_DOMAINS.map(([host]) => host)).size).to.be.at.least(150);
    expect(new Set(FAMOUS_QUERIES.map(([query]) => query)).size).to.be.at.least(100);
  });

  it('finds them by domain', () => judge('domains', FAMOUS_DOMAINS, (domain) => brandOf({ domain })));
  it('finds them by address', () =>
    judge('addresses', FAMOUS_DOMAINS, (host) => brandOf({ url: `https://${host}/some/page?x=1` })));
  it('finds them by query', () => judge('queries', FAMOUS_QUERIES, firstOf));

  it('have typed queries first in 97 %, and among the first three in 98 %', async () => {
    expect(TYPED_QUERIES.length).to.be.at.least(300);
    let [first, three] = [0, 0];
    for (const [q, slugs] of TYPED_QUERIES) {
      const outcome = await search.search({ q, limit: 3 }, '');
      const found = outcome.kind === 'page' ? slugsOf(outcome.page) : [];
      if (slugs.includes(found[0] ?? '')) first += 1;
      if (found.some((slug) => slugs.includes(slug))) three += 1;
    }
    process.stdout.write(`      ${first} first and ${three} in the top three of ${TYPED_QUERIES.length}\n`);
    expect(first / TYPED_QUERIES.length).to.be.at.least(0.97);
    expect(three / TYPED_QUERIES.length).to.be.at.least(0.98);
  });

  it('are found by noise words alone', async () => {
    expect(await firstOf('icon')).to.not.equal(undefined);
  });

  it('are the owner of a domain or none, because a wrong brand is worse', async () => {
    expect(KNOWN_DOMAINS.length).to.be.at.least(400);
    const wrong: string[] = [];
    let [right, unknown] = [0, 0];
    for (const [domain, slugs] of KNOWN_DOMAINS) {
      const found = await brandOf({ domain });
      const got = found === 'invalid' ? 'none' : found;
      if (slugs.includes(got)) right += 1;
      else if (got === 'none') unknown += 1;
      else wrong.push(`${domain}: ${got}`);
    }
    process.stdout.write(
      `      ${right} right, ${unknown} unknown, ${wrong.length} wrong of ${KNOWN_DOMAINS.length}\n`,
    );
    expect(wrong).to.deep.equal([]);
    expect(unknown).to.be.at.most(5);
  });

  it('are found first by host, URL or e-mail address', async () => {
    const wrong: string[] = [];
    for (const [domain] of [...FAMOUS_DOMAINS, ...KNOWN_DOMAINS, ...REMEMBERED_DOMAINS]) {
      const brand = await brandOf({ domain });
      for (const q of [domain, `https://www.${domain}/shop?x=1`, `somebody@${domain}`, `${domain} logo`]) {
        const found = await foundBy(q);
        // If the query is only the domain, another brand may come first: a brand whose name equals this domain.
        const isRight = q === domain ? found.includes(brand) : found[0] === brand;
        if (brand === 'none' || brand === 'invalid' ? found.length > 0 : !isRight)
          wrong.push(`${q}: wanted ${brand}, got ${found.join(' ')}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('are found by names with a dot', async () => {
    const wrong: string[] = [];
    let count = 0;
    for await (const { slug, title, aliases, retired } of catalog.store.entries())
      for (const name of retired ? [] : [title, ...aliases].filter((one) => /\w\.\w/.test(one))) {
        count += 1;
        if (!(await foundBy(name)).includes(slug)) wrong.push(`${name}: ${slug}`);
      }
    expect(count).to.be.at.least(100);
    expect(wrong).to.deep.equal([]);
    const firsts = { 'booking.com': 'booking-com', 'monday.com': 'monday', 'socket.io': 'socket-io', 'vue.js': 'vue' };
    for (const [q, slug] of Object.entries(firsts)) expect(await firstOf(q), q).to.equal(slug);
  });

  it('are found by the beginning of a domain or name', async () => {
    expect(await firstOf('booking.co')).to.equal('booking-com');
    expect(await firstOf('github.co')).to.equal('github');
    expect(await foundBy('https://github.co/')).to.deep.equal([]);
  });

  it('are found for the known domains that a person wrote down, and not for others', async () => {
    const unknown = REMEMBERED_DOMAINS.filter(([, [slug]]) => slug === 'none').length;
    process.stdout.write(`      ${unknown} of ${REMEMBERED_DOMAINS.length} domains from memory have no drawing\n`);
    for (const [domain, [slug]] of REMEMBERED_DOMAINS) expect(await brandOf({ domain }), domain).to.equal(slug);
  });

  it('are not found for unrelated queries', async () => {
    for (const domain of [
      ...['mango.com', 'someuser.github.io', 'ada.com', 'swift.com', 'upload.wikimedia.org', 'google.github.io'],
      ...['example.com', 'ember.com', 'julia.com'],
      // Hosts that no public website can have.
      ...['localhost', 'com', 'github.io', '127.0.0.1'],
    ])
      expect(await brandOf({ domain }), domain).to.equal('none');
    expect(await brandOf({ domain: 'not a host' })).to.equal('invalid');
  });

  it('finds them by e-mail address and by name', async () => {
    expect(await brandOf({ email: 'ada@stripe.com' })).to.equal('stripe');
    expect(await brandOf({ email: 'somebody@gmail.com' })).to.equal('gmail');
    for (const [name, slug] of [
      ['GitHub', 'github'],
      ['Microsoft Corporation', 'microsoft'],
      ['Apple Inc.', 'apple'],
      ['VS Code', 'visual-studio-code'],
      ['Volkswagen AG', 'volkswagen'],
      ['Node.js', 'nodejs'],
      ['Gihtub', 'github'],
    ] as const) {
      expect(await brandOf({ name }), name).to.equal(slug);
    }
    for (const name of ['no such brand at all', 'social media', 'Oxford', 'Nestle'])
      expect(await brandOf({ name }), name).to.equal('none');
  });

  it('lists products as alternatives, and no pages of other brands', async () => {
    const outcome = await brands.lookup(
      { domain: 'google.com' },
      publicCatalog({ ...catalog.store, peek: () => undefined, drawing: () => '' }),
      someClient(),
    );
    if (outcome.kind !== 'found') return expect.fail('google.com');
    expect(outcome.alternatives).to.have.length(5);
    const github = await brands.lookup(
      { domain: 'github.com' },
      publicCatalog({ ...catalog.store, peek: () => undefined, drawing: () => '' }),
      someClient(),
    );
    if (github.kind !== 'found') return expect.fail('github.com');
    for (const { website } of github.alternatives)
      expect(website ?? '').to.not.match(/github\.com\/[^/]+\/[^/]+\/blob/);
  });

  it('use every stated fact', async () => {
    const { hosts, everywhere } = readBrandFacts();
    for (const [slug, list] of Object.entries(hosts))
      for (const domain of list) expect(await brandOf({ domain }), domain).to.equal(slug);
    const { search: engine } = await index.current();
    for (const slug of everywhere)
      expect(
        engine.named(slug).map((named) => named.slug),
        slug,
      ).to.include(slug);
  });
});
