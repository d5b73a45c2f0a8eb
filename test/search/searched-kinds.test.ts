// Searches for kinds of brands, such as `payments`, and for names that are missing in the imported catalog.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readKinds } from '../../config/kinds.js';
import type { SearchIndex } from '../../src/search/search-index.js';
import type { Entry } from '../../src/catalog/entry.js';
import { openImportedCatalog } from '../support/imported-catalog.js';
import { pageOf } from '../support/indexes.js';

function lines(name: string): readonly string[] {
  const text = readFileSync(new URL(`../../../test/data/${name}.txt`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Kinds of brands, one per line: `name | other name = Brand | Brand`. */
const KINDS = lines('kinds').map((line) => {
  const [names = [], brands = []] = line.split(' = ').map((list) => list.split(' | '));
  return { names, brands };
});
const MISSING_NAMES = lines('missing-names');

describe('kinds and missing names in the imported catalog', () => {
  let catalog: Awaited<ReturnType<typeof openImportedCatalog>>;
  let search: SearchIndex;
  const entries = new Map<string, Entry>();

  before(async () => {
    catalog = await openImportedCatalog();
    ({ search } = await catalog.index.current());
    for await (const entry of catalog.store.entries()) entries.set(entry.slug, entry);
  });
  after(() => catalog.close());

  const bearersOf = (name: string) => search.named(name).filter(({ field }) => field !== 'shortForm');

  /**
   * Returns the names of kinds for which the first eight results contain too few expected brands. Five are required, or
   * all of them if the catalog contains fewer than five.
   */
  function poor(names: (kind: (typeof KINDS)[number]) => readonly string[]): readonly string[] {
    return KINDS.flatMap((kind) => {
      const wanted = new Set(kind.brands.flatMap((name) => bearersOf(name).slice(0, 1)).map(({ slug }) => slug));
      return names(kind).flatMap((q) => {
        const found = pageOf(search, { q, limit: 8 }).results.filter(({ slug }) => wanted.has(slug)).length;
        return found < Math.min(5, wanted.size) ? [`${q}: ${found} of ${wanted.size}`] : [];
      });
    });
  }

  it('finds five well-known brands of each kind among the first eight, in 90 % and by any name', () => {
    expect(KINDS.length).to.be.at.least(60);
    const poorKinds = poor(({ names }) => names.slice(0, 1));
    expect(poorKinds.length, poorKinds.join('; ')).to.be.at.most(KINDS.length * 0.1);
    const names = KINDS.flatMap((kind) => kind.names);
    const poorNames = poor((kind) => kind.names);
    process.stdout.write(
      `      ${KINDS.length - poorKinds.length} of ${KINDS.length} kinds, ${names.length - poorNames.length} of ${names.length} names\n`,
    );
    expect(poorNames.length, poorNames.join('; ')).to.be.at.most(names.length * 0.1);
  });

  it('finds nothing for the names of brands that it lacks, or says that it guesses', () => {
    const lacked = MISSING_NAMES.filter((name) => bearersOf(name).length === 0);
    expect(lacked.length).to.be.at.least(100);
    const unmarked = lacked.filter((q) => {
      const [first] = pageOf(search, { q, limit: 1 }).results;
      return first && first.match.field !== 'typo' && first.match.partial !== true;
    });
    process.stdout.write(`      ${lacked.length - unmarked.length} of ${lacked.length} names that are missing\n`);
    expect(unmarked.length, unmarked.join(', ')).to.be.at.most(lacked.length * 0.02);
  });

  it('do not confuse a missing name with another', () => {
    for (const q of ['el pais', 'oxford', 'nestle', '7-eleven'])
      if (bearersOf(q).length === 0) expect(pageOf(search, { q }).results, q).to.deep.equal([]);
  });

  it('have each listed brand in the category of its kind', () => {
    const { kinds, meaningless } = readKinds();
    for (const { category, brands } of kinds)
      for (const slug of brands) expect(entries.get(slug)?.categories, slug).to.include(category);
    for (const { slug, categories } of entries.values())
      for (const category of meaningless) expect(categories, slug).to.not.include(category);
  });

  it('shows parts of clouds as parts of their vendor', () => {
    const parts = [...entries.values()].filter(({ categories }) => categories.includes('cloud-service'));
    expect(parts.length).to.be.within(900, 1000);
    for (const { slug, title } of parts) expect(title, slug).to.match(/AWS|Amazon|Azure|Microsoft|Google|Kubernetes/);
    expect(entries.get('k8s-user')?.title).to.equal('Kubernetes User');
    expect(entries.get('aws-s3')?.title).to.equal('AWS S3');
    expect(entries.get('tsmc')?.title).to.equal('TSMC');
  });
});
