// Response counts of a day by slug. The number of slugs is limited, so the counts are approximate. The error stays
// below the documented limit, even after several lists of counts are merged.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Slug } from '../../src/catalog/entry.js';
import {
  countSlug,
  MAX_COUNTED_SLUGS,
  mergeResponses,
  NO_RESPONSES,
  slugCounts,
} from '../../src/metering/day-responses.js';

/** Slugs: a few are frequent, and many are rare. */
const slug = fc
  .oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5000 }))
  .map((number) => `slug-${number}` as Slug);
const parts = fc.array(fc.array(slug, { maxLength: 200 }), { minLength: 1, maxLength: 6 });

function exact(slugs: readonly Slug[]): Map<Slug, number> {
  const counts = new Map<Slug, number>();
  for (const each of slugs) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

function summary(slugs: readonly Slug[]) {
  const counts = new Map<Slug, number>();
  for (const each of slugs) {
    countSlug(counts, each);
    expect(counts.size).to.be.at.most(MAX_COUNTED_SLUGS);
  }
  return { ...NO_RESPONSES, slugs: slugCounts(counts) };
}

describe('counted slugs', () => {
  it('are never too high, and too low by at most a 33rd of all, over all parts', () => {
    fc.assert(
      fc.property(parts, (lists) => {
        const all = lists.flat();
        const merged = lists.map(summary).reduce(mergeResponses, NO_RESPONSES).slugs;
        expect(merged.length).to.be.at.most(MAX_COUNTED_SLUGS);
        const counted = new Map(merged.map(({ slug: each, requests }) => [each, requests]));
        for (const [each, requests] of exact(all)) {
          const shown = counted.get(each) ?? 0;
          expect(shown).to.be.at.most(requests);
          expect(requests - shown).to.be.at.most(all.length / (MAX_COUNTED_SLUGS + 1));
        }
        for (const [at, { requests }] of merged.entries()) {
          expect(requests).to.be.above(0);
          if (at > 0) expect(requests).to.be.at.most(merged[at - 1]!.requests);
        }
      }),
    );
  });

  it('are exact for few different ones', () => {
    const few = fc.integer({ min: 0, max: MAX_COUNTED_SLUGS - 1 }).map((number) => `slug-${number}` as Slug);
    fc.assert(
      fc.property(fc.array(fc.array(few, { maxLength: 100 }), { maxLength: 5 }), (lists) => {
        const merged = lists.map(summary).reduce(mergeResponses, NO_RESPONSES).slugs;
        expect(new Map(merged.map((each) => [each.slug, each.requests]))).to.deep.equal(exact(lists.flat()));
      }),
    );
  });

  it('are exact for as many different ones as are stored', () => {
    const name = (number: number) => `slug-${number}` as Slug;
    const all = Array.from({ length: MAX_COUNTED_SLUGS }, (_, number) => name(number));
    const merged = mergeResponses(summary(all), summary([...all.slice(1), ...all.slice(1)]));
    expect(merged.slugs.map(({ requests }) => requests)).to.deep.equal([...all.slice(1).map(() => 3), 1]);
    expect(merged.slugs.at(-1)?.slug).to.equal(name(0));
  });

  it('keep the most frequent one in a flood of others', () => {
    const counts = new Map<Slug, number>();
    for (let index = 0; index < 200_000; index++) {
      countSlug(counts, `flood-${index}` as Slug);
      if (index % 10 === 0) countSlug(counts, 'github' as Slug);
    }
    expect(counts.size).to.be.at.most(MAX_COUNTED_SLUGS);
    expect(slugCounts(counts)[0]?.slug).to.equal('github');
  });

  it('lose one request each for a slug without room', () => {
    const counts = new Map<Slug, number>();
    for (let at = 0; at < MAX_COUNTED_SLUGS; at++)
      for (let times = 0; times <= at; times++) countSlug(counts, `slug-${at}` as Slug);
    countSlug(counts, 'another' as Slug);
    expect([...counts]).to.deep.equal(
      Array.from({ length: MAX_COUNTED_SLUGS - 1 }, (_, at) => [`slug-${at + 1}`, at + 1]),
    );
  });

  it('contain no slug without a request', () => {
    const counts = new Map<Slug, number>();
    for (let at = 0; at <= MAX_COUNTED_SLUGS; at++) countSlug(counts, `slug-${at}` as Slug);
    expect([...counts]).to.deep.equal([]);
    const many = Array.from({ length: 40 }, (_, at) => ({ slug: `slug-${at}` as Slug, requests: 1 }));
    const { slugs } = mergeResponses(
      { ...NO_RESPONSES, slugs: many.slice(0, 20) },
      { ...NO_RESPONSES, slugs: many.slice(20) },
    );
    expect(slugs).to.deep.equal([]);
    const most = { slug: 'most' as Slug, requests: 5 };
    expect(mergeResponses({ ...NO_RESPONSES, slugs: [most] }, { ...NO_RESPONSES, slugs: many }).slugs).to.deep.equal([
      { ...most, requests: 4 },
    ]);
  });
});
