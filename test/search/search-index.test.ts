// The search engine with small catalogs whose right results are known.
import { expect } from 'chai';
import { differenceEuclidean } from 'culori';
import fc from 'fast-check';
import type { SearchIndex } from '../../src/search/search-index.js';
import type { SearchQuery } from '../../src/search/query.js';
import { finish } from '../../src/platform/concurrency/time-slices.js';
import { someEntry, someVariant } from '../support/entries.js';
import { indexesOf, pageOf, slugsOf } from '../support/indexes.js';
import { repeated } from '../support/extent.js';

const CATALOG = [
  someEntry('github', {
    title: 'GitHub',
    aliases: ['gh'],
    domain: 'github.com',
    domains: ['github.com'],
    website: 'https://github.com/',
    categories: ['devtool', 'software'],
    hex: '#181717',
  }),
  someEntry('github-actions', {
    title: 'GitHub Actions',
    website: 'https://github.com/features/actions',
    categories: ['devtool'],
    hex: '#2088FF',
  }),
  someEntry('gitlab', {
    title: 'GitLab',
    domains: ['gitlab.com'],
    categories: ['devtool'],
    hex: '#FC6D26',
    license: { type: 'MIT', url: null, redistributable: true },
  }),
  someEntry('hub', { title: 'Hub Planner', categories: ['software'] }),
  someEntry('kubernetes', { title: 'Kubernetes', categories: ['cloud'], hex: '#326CE5' }),
  someEntry('visual-studio-code', { title: 'Visual Studio Code', categories: ['devtool'], hex: '#007ACC' }),
  someEntry('visual-studio', { title: 'Visual Studio', categories: ['devtool'] }),
  someEntry('google', {
    title: 'Google',
    aliases: ['구글', 'Alphabet'],
    variants: [someVariant({ colors: ['#4285f4', '#ea4335'] }), someVariant({ name: 'wordmark' })],
    hex: '#4285F4',
  }),
  someEntry('google-cloud', { title: 'Google Cloud', categories: ['cloud'] }),
  someEntry('gemma-google', { title: 'Gemma (Google)' }),
  someEntry('01-ai', { title: '01.AI (零一万物)' }),
  someEntry('atandt', { title: 'AT&T' }),
  someEntry('cplusplus', { title: 'C++' }),
  someEntry('c', { title: 'C' }),
  someEntry('dotnet', { title: '.NET' }),
  someEntry('loreal', { title: "L'Oréal" }),
  someEntry('stripe', { title: 'Stripe', categories: ['payment'] }),
  someEntry('sketch', { title: 'Sketch', categories: ['design'] }),
];

describe('search', () => {
  let index: SearchIndex;
  before(async () => ({ search: index } = await indexesOf(CATALOG)));
  const slugs = (query: Partial<SearchQuery>) => slugsOf(pageOf(index, query));
  const search = (query: Partial<SearchQuery>) => finish(index.search({ limit: 1, ...query }));
  const first = (q: string) => pageOf(index, { q }).results[0];

  /** Queries with their expected first result. Brackets mark the matched part. */
  const FIRSTS: readonly (readonly [q: string, slug: string, field: string, value: string])[] = [
    ['github', 'github', 'slug', '[github]'],
    ['GITHUB', 'github', 'slug', '[github]'],
    ['git hub', 'github', 'slug', '[github]'],
    ['gh', 'github', 'alias', '[gh]'],
    ['구글', 'google', 'alias', '[구글]'],
    ['github.com', 'github', 'domain', '[github.com]'],
    ['gith', 'github', 'title', '[GitH]ub'],
    ['gihtub', 'github', 'typo', '[GitHub]'],
    ['k8s', 'kubernetes', 'title', '[Kubernetes]'],
    ['kuberntes', 'kubernetes', 'typo', '[Kubernetes]'],
    ['vscode', 'visual-studio-code', 'title', '[Visual Studio Code]'],
    ['studio code', 'visual-studio-code', 'title', 'Visual [Studio] [Code]'],
    ['studoi cod', 'visual-studio-code', 'typo', 'Visual [Studio] [Cod]e'],
    ['c++', 'cplusplus', 'slug', '[cplusplus]'],
    ['c', 'c', 'slug', '[c]'],
    ['.net', 'dotnet', 'slug', '[dotnet]'],
    ['att', 'atandt', 'title', '[AT&T]'],
    ['loréa', 'loreal', 'title', "[L'Oréa]l"],
    ['零一万物', '01-ai', 'title', '01.AI ([零一万物])'],
    ['payment', 'stripe', 'category', '[payment]'],
    ['actions hub', 'github-actions', 'title', 'Git[Hub] [Actions]'],
  ];
  for (const [q, slug, field, value] of FIRSTS) {
    it(`${q} → ${slug} by ${field}`, () => {
      const { match, ...result } = first(q)!;
      const marked = [...match.ranges].reverse().reduce((text, [start, end]) => {
        return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
      }, match.value);
      expect([result.slug, match.field, marked]).to.deep.equal([slug, field, value]);
    });
  }

  it('orders by kind of match: slug, prefix, words', () => {
    expect(slugs({ q: 'hub' })).to.deep.equal(['hub', 'github', 'github-actions']);
    expect(slugs({ q: 'git' })[0]).to.equal('github');
  });

  it('puts a brand before its products, and does not treat the maker in brackets as a name', () => {
    expect(slugs({ q: 'google' })).to.deep.equal(['google', 'google-cloud', 'gemma-google']);
    expect(slugs({ q: 'goo' })[0]).to.equal('google');
  });

  it('requires every word of the query', () => {
    expect(slugs({ q: 'visual studio' })).to.deep.equal(['visual-studio', 'visual-studio-code']);
    expect(slugs({ q: 'zzz nothing' })).to.deep.equal([]);
    expect(slugs({ q: 'devtool hub' })).to.have.members(['github', 'github-actions']);
  });

  it('returns partial matches if nothing matches completely, and marks them', () => {
    expect(slugs({ q: 'visual nothing' })).to.deep.equal(['visual-studio', 'visual-studio-code']);
    expect(first('github swarm cluster')?.slug).to.equal('github');
    expect(first('github swarm cluster')?.match).to.include({ partial: true });
    expect(first('github')?.match).to.not.have.property('partial');
    expect(first('github swarm')?.score).to.be.lessThan(first('github')?.score ?? 0);
  });

  it('ignores words that say nothing, unless there are no others', () => {
    for (const q of ['github logo', 'the github icon', 'GitHub, Inc.', 'github gmbh svg']) {
      expect(first(q)?.slug, q).to.equal('github');
      expect(first(q)?.match, q).to.not.have.property('partial');
    }
    expect(slugs({ q: 'logo icon' })).to.deep.equal([]);
  });

  it('tries typing errors only if little else was found', () => {
    expect(slugs({ q: 'stripe' })).to.deep.equal(['stripe']);
    expect(slugs({ q: 'strpie' })).to.deep.equal(['stripe']);
    expect(slugs({ q: 'xyz' })).to.deep.equal([]);
  });

  it('does not guess names with another first letter, or with errors in a third of it', () => {
    for (const q of ['kitlab', 'ithub', 'gitabl x', 'skteck', 'strpei']) expect(slugs({ q }), q).to.deep.equal([]);
    expect(slugs({ q: 'gtilba' })).to.deep.equal([]);
    expect(first('kuberntse')?.match.field).to.equal('typo');
  });

  it('finds kinds by any of their names: the listed brands first, then others of the category', async () => {
    const kinds = [
      {
        category: 'devtool',
        names: ['code hosting', 'Git host'],
        includes: ['cloud'],
        brands: ['gitlab', 'lost', 'hub'],
      },
    ];
    const { search } = await indexesOf(CATALOG, undefined, 1, kinds);
    const ordered = slugsOf(pageOf(search, { q: 'git hosts' }));
    expect(ordered.slice(0, 2)).to.deep.equal(['gitlab', 'hub']);
    const inCategory = [
      'github',
      'github-actions',
      'visual-studio-code',
      'visual-studio',
      'kubernetes',
      'google-cloud',
    ];
    expect(ordered.slice(2)).to.have.members(inCategory);
    for (const q of ['code-hosting', 'Codehosting logos', 'devtools', 'dev tool'])
      expect(slugsOf(pageOf(search, { q })), q).to.deep.equal(ordered);
    expect(slugsOf(pageOf(search, { q: 'code hos' }))).to.deep.equal(ordered);
    expect(pageOf(search, { q: 'code hos' }).results[0]?.match).to.include({ field: 'category', value: 'devtool' });
    const [gitlab, , ...others] = pageOf(search, { q: 'git host' }).results;
    expect(gitlab?.match).to.deep.equal({ field: 'category', value: 'devtool', ranges: [[0, 7]] });
    expect(others.at(-1)?.match.value).to.be.oneOf(['devtool', 'cloud']);
    expect(slugsOf(pageOf(search, { q: 'visual devtools' }))).to.have.members(['visual-studio', 'visual-studio-code']);
  });

  it('lists parts of clouds after all brands that match equally', async () => {
    const { search } = await indexesOf([
      someEntry('azure-user', { title: 'Azure User', categories: ['cloud-service'], aliases: ['a', 'b', 'c'] }),
      someEntry('super-duper-user', { title: 'Super Duper Very User' }),
    ]);
    expect(slugsOf(pageOf(search, { q: 'user' }))).to.deep.equal(['super-duper-user', 'azure-user']);
  });

  it('finds nothing for text without letters, without failing', () => {
    for (const q of ['!!!', '🚀', ' ', '\ud800', '\u0301', '...']) expect(pageOf(index, { q }).total, q).to.equal(0);
  });

  it('filters, and counts facets over all matches', () => {
    expect(slugs({ category: 'cloud' })).to.have.members(['kubernetes', 'google-cloud']);
    expect(slugs({ license: 'mit' })).to.deep.equal(['gitlab']);
    expect(slugs({ variant: 'wordmark' })).to.deep.equal(['google']);
    expect(slugs({ q: 'git', license: 'MIT' })).to.deep.equal(['gitlab']);
    expect(slugs({ category: 'nothing' })).to.deep.equal([]);
    const page = pageOf(index, { q: 'git', limit: 1 });
    expect(page.total).to.equal(3);
    expect(page.facets.category).to.deep.equal([
      { value: 'devtool', count: 3 },
      { value: 'software', count: 1 },
    ]);
    expect(page.facets.license).to.deep.equal([
      { value: 'CC0-1.0', count: 2 },
      { value: 'MIT', count: 1 },
    ]);
    expect(pageOf(index, { category: 'cloud' }).results[0]?.match).to.deep.equal({
      field: 'category',
      value: 'cloud',
      ranges: [[0, 5]],
    });
  });

  it('finds entries with a similar color, nearest first, alone and with words', () => {
    const distance = differenceEuclidean('oklab');
    const page = pageOf(index, { color: 'ea4335', variant: undefined });
    expect(page.results.map((result) => [result.slug, result.match.value])).to.deep.equal([
      ['google', '#EA4335'],
      ['gitlab', '#FC6D26'],
    ]);
    expect(page.total, 'no blue ones').to.equal(2);
    expect(page.facets.license.map(({ count }) => count)).to.deep.equal([1, 1]);
    const distances = page.results.map((result) => distance('#ea4335', result.match.value));
    for (let at = 1; at < distances.length; at++) expect(distances[at]).to.be.at.least(distances[at - 1]! - 1e-4);
    expect(pageOf(index, { color: '00ff00' }).total).to.equal(0);
    expect(page.results.map((result) => result.score)).to.deep.equal(
      page.results.map((result) => result.score).sort((a, b) => b - a),
    );
    expect(page.results[0]?.score).to.equal(1);
    expect(slugs({ q: 'git', color: '#2088FF' })[0]).to.equal('github-actions');
    expect(slugs({ q: 'git', color: 'f62' })[0]).to.equal('gitlab');
    expect(search({ color: 'blue' })).to.include({ kind: 'invalid', field: 'color' });
  });

  it('rejects a cursor of another query, of another catalog, and a forged one', async () => {
    const { nextCursor } = pageOf(index, { q: 'git', limit: 1 });
    const cursor = nextCursor ?? '';
    expect(cursor).to.match(/^[\w-]+$/);
    expect(slugs({ q: 'git', limit: 1, cursor })).to.have.length(1);
    expect(slugs({ q: ' git', limit: 2, cursor })).to.have.length(2);
    const rejected = { kind: 'invalid', field: 'cursor' };
    expect(search({ q: 'gi', cursor })).to.include(rejected);
    expect(search({ q: 'git', category: 'devtool', cursor })).to.include(rejected);
    const { search: later } = await indexesOf(CATALOG, undefined, 2);
    expect(finish(later.search({ q: 'git', limit: 1, cursor }))).to.include(rejected);
    for (const bad of ['', 'x', 'AAAA', '🚀', 'a'.repeat(2000)])
      expect(search({ q: 'git', cursor: bad })).to.include(rejected);
  });

  it('finds entries by their exact names', () => {
    const named = (name: string) => index.named(name).map(({ slug, field }) => `${slug} ${field}`);
    expect(['Git-Hub', 'alphabet', 'nobody'].map(named)).to.deep.equal([['github slug'], ['google alias'], []]);
  });
});

describe('search, any catalog and query', () => {
  const name = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'b', 'A', 'B', ' ', '.', '-', 'é', '1', '구', '+'),
      minLength: 1,
      maxLength: 8,
    }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  );
  const catalog = fc.array(
    fc.record({
      title: name,
      aliases: fc.array(name, { maxLength: 2 }),
      categories: fc.subarray(['aa', 'b', 'é']),
      hex: fc.constantFrom(null, '#AA0000', '#00BB00'),
    }),
    { maxLength: 30 },
  );
  const query = fc.record({
    q: name,
    color: fc.constantFrom(undefined, 'abc'),
    category: fc.constantFrom(undefined, undefined, 'b'),
  });

  it('returns each match once over all pages, with falling scores and valid ranges', async () => {
    await fc.assert(
      fc.asyncProperty(catalog, query, fc.integer({ min: 1, max: 7 }), async (entries, asked, limit) => {
        const { search } = await indexesOf(entries.map((entry, at) => someEntry(`s${at}`, entry)));
        const seen: string[] = [];
        let score = 1;
        let cursor: string | undefined;
        do {
          const page = pageOf(search, { ...asked, limit, cursor });
          if (cursor !== undefined) expect(page.results, 'a further page').to.not.be.empty;
          for (const result of page.results) {
            seen.push(result.slug);
            expect(result.score).to.be.at.most(score).and.at.least(0);
            score = result.score;
            let end = -1;
            for (const [from, to] of result.match.ranges) {
              expect(from).to.be.above(end);
              expect(to).to.be.above(from).and.at.most(result.match.value.length);
              end = to;
            }
          }
          cursor = page.nextCursor ?? undefined;
          if (cursor !== undefined) expect(page.results).to.have.length(limit);
          else expect(seen).to.have.length(page.total);
        } while (cursor !== undefined);
        expect(new Set(seen).size).to.equal(seen.length);
      }),
      { numRuns: repeated(60, 200) },
    );
  });

  it('finds a brand with a name that looks like a host of another script', async () => {
    const { search } = await indexesOf([
      someEntry('korean', { title: '구.ba' }),
      someEntry('other', { title: 'Bücher.de Shop', domain: 'xn--bcher-kva.de' }),
    ]);
    for (const q of ['구.ba', '구.BA']) expect(slugsOf(pageOf(search, { q })), q).to.deep.equal(['korean']);
    for (const q of ['bücher.de', 'Bücher.de', 'xn--bcher-kva.de', 'https://bücher.de/'])
      expect(slugsOf(pageOf(search, { q })), q).to.deep.equal(['other']);
  });

  it('finds every entry by its own title', async () => {
    await fc.assert(
      fc.asyncProperty(catalog, async (entries) => {
        const { search } = await indexesOf(entries.map((entry, at) => someEntry(`s${at}`, entry)));
        for (const [at, { title }] of entries.entries()) {
          if (title.trim() === '' || !/[\p{L}\p{N}]/u.test(title)) continue;
          expect(slugsOf(pageOf(search, { q: title, limit: 100 }))).to.include(`s${at}`);
        }
      }),
      { numRuns: repeated(40, 100) },
    );
  });
});
