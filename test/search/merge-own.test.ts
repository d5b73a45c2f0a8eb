// Search results that merge an account's own brands with public brands.
import { expect } from 'chai';
import fc from 'fast-check';
import { mergeOwn, placeOf } from '../../src/search/merge-own.js';
import { MAX_FACET_VALUES } from '../../src/search/page.js';
import type { Facet, SearchOutcome, SearchPage, SearchResult } from '../../src/search/query.js';

const STATE = 'state';

const resultOf = (slug: string, score: number, isPartial = false): SearchResult => ({
  ...{ slug, title: slug, hex: null, categories: [], domain: null, variants: ['default'], score },
  match: { field: 'title', value: slug, ranges: [[0, 1]], ...(isPartial && { partial: true as const }) },
});
const pageOf = (results: readonly SearchResult[], category: Facet = []): SearchPage => ({
  ...{ total: results.length, results, facets: { category, license: [] }, nextCursor: null },
});

/** Returns a catalog search with these results. The cursor is the number of results before the page. */
const catalogOf = (results: readonly SearchResult[], category: Facet = []) => {
  return ({
    limit,
    cursor,
  }: {
    readonly limit: number;
    readonly cursor: string | undefined;
  }): Promise<SearchOutcome> => {
    const from = Number(cursor ?? 0);
    const nextCursor = from + limit < results.length ? String(from + limit) : null;
    const page = { ...pageOf(results, category), results: results.slice(from, from + limit), nextCursor };
    return Promise.resolve({ kind: 'page', page });
  };
};

/** Returns all result pages with at most `limit` results each. */
async function pagesOf(own: SearchPage, others: ReturnType<typeof catalogOf>, limit: number): Promise<SearchPage[]> {
  const pages: SearchPage[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { q: 'x', limit, cursor };
    const place = placeOf(query, STATE);
    if ('kind' in place) throw new Error(place.reason);
    const outcome = await mergeOwn(query, { place, state: STATE }, { own, others });
    if (outcome.kind !== 'page') throw new Error(outcome.reason);
    pages.push(outcome.page);
    cursor = outcome.page.nextCursor;
    expect(pages.length).to.be.below(200);
  }
  return pages;
}

describe('a merged search', () => {
  it('returns every result once, best first, own brands before equal scores', async () => {
    const scores = fc
      .array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 })
      .map((all) => all.sort((one, other) => other - one));
    await fc.assert(
      fc.asyncProperty(scores, scores, fc.integer({ min: 1, max: 5 }), async (mine, theirs, limit) => {
        const own = mine.map((score, at) => resultOf(`own-${at}`, score));
        const others = theirs.map((score, at) => resultOf(`public-${at}`, score));
        const pages = await pagesOf(pageOf(own), catalogOf(others), limit);
        const expected = [...own.map((one) => ({ ...one, own: true })), ...others].sort(
          (one, other) => other.score - one.score,
        );
        expect(pages.flatMap(({ results }) => results)).to.deep.equal(expected);
        for (const { results, total } of pages.slice(0, -1))
          expect([results.length, total]).to.deep.equal([limit, expected.length]);
      }),
    );
  });

  it('omits partial matches where the other list has full matches', async () => {
    const [full, partial] = [resultOf('full', 1), resultOf('partial', 2, true)];
    const slugs = async (own: readonly SearchResult[], others: readonly SearchResult[]) => {
      const [first] = await pagesOf(pageOf(own), catalogOf(others), 10);
      return [first?.results.map(({ slug }) => slug), first?.total];
    };
    expect(await slugs([partial], [full])).to.deep.equal([['full'], 1]);
    expect(await slugs([full], [partial])).to.deep.equal([['full'], 1]);
    expect(await slugs([partial], [])).to.deep.equal([['partial'], 1]);
    expect(await slugs([], [partial])).to.deep.equal([['partial'], 1]);
    expect(await slugs([partial], [resultOf('other', 1, true)])).to.deep.equal([['partial', 'other'], 2]);
  });

  it('sums facets, sorts them by count and name, and caps their number', async () => {
    const facet = (counts: Readonly<Record<string, number>>): Facet =>
      Object.entries(counts).map(([value, count]) => ({ value, count }));
    const own = pageOf([resultOf('a', 1)], facet({ zoo: 1, art: 1, code: 2 }));
    const [page] = await pagesOf(own, catalogOf([resultOf('b', 1)], facet({ code: 3, bank: 2 })), 10);
    expect(page?.facets.category).to.deep.equal(facet({ code: 5, bank: 2, art: 1, zoo: 1 }));
    const many = facet(Object.fromEntries(Array.from({ length: MAX_FACET_VALUES }, (_, at) => [`v${at}`, 2])));
    const [full] = await pagesOf(own, catalogOf([], many), 10);
    expect(full?.facets.category).to.have.length(MAX_FACET_VALUES).and.not.deep.include({ value: 'zoo', count: 1 });
  });

  it('rejects cursors of changed own brands, of other searches, and malformed ones', async () => {
    const own = pageOf([resultOf('a', 1), resultOf('b', 1)]);
    const query = { q: 'x', limit: 1 };
    const outcome = await mergeOwn(
      query,
      { place: { own: 0, others: undefined }, state: STATE },
      { own, others: catalogOf([]) },
    );
    const cursor = outcome.kind === 'page' ? outcome.page.nextCursor : null;
    if (cursor === null) throw new Error('there is another page');
    expect(placeOf({ ...query, cursor }, STATE)).to.deep.equal({ own: 1, others: null });
    for (const place of [
      placeOf({ ...query, cursor }, 'another state'),
      placeOf({ ...query, q: 'y', cursor }, STATE),
      placeOf({ ...query, cursor: 'x' }, STATE),
    ])
      expect(place).to.include({ kind: 'invalid', field: 'cursor' });
  });
});
