// Part of the import summary that tells how each drawing of the operator's own source is used.
import { expect } from 'chai';
import { readCatalogConfig } from '../../../config/catalog.js';
import { brandEntry } from '../../../src/catalog/import/build-entry.js';
import type { CandidateVariant } from '../../../src/catalog/import/candidate.js';
import { groupBrands, type SourcedCandidate } from '../../../src/catalog/import/group-brands.js';
import { placementsOf } from '../../../src/catalog/import/source-report.js';
import { candidateOf, LOOK, sourceOf, variantNamed } from '../../support/entries.js';

const policy = { ...readCatalogConfig(), hosts: {}, merge: {} };

function drawing(name: string, etag: string, facts: Partial<CandidateVariant> = {}): CandidateVariant {
  return { ...variantNamed(name, { etag, on: ['light', 'dark'] }), look: { ...LOOK, plate: null }, ...facts };
}

const ofPackage: SourcedCandidate = {
  source: sourceOf('package:brands', { package: 'brands' }),
  candidate: candidateOf('acme', {
    variants: [drawing('default', 'theirs', { recolorable: false, colors: ['#e42527', '#226db4'] })],
  }),
};

const own = (isOverride: boolean, ...variants: CandidateVariant[]): SourcedCandidate => ({
  source: sourceOf('folder:mine', { package: 'mine', ...(isOverride && { isOverride }) }),
  candidate: candidateOf('acme', { variants }),
});

function placements(...candidates: SourcedCandidate[]) {
  const [brand] = groupBrands(candidates, policy);
  const chosen = brand && brandEntry(brand, policy, (id) => (id === 'folder:mine' ? 0 : 1));
  return chosen ? placementsOf(brand, chosen, new Set(['folder:mine'])) : expect.fail('no entry');
}

describe('placements of own drawings', () => {
  it('state which became the default or a variant, and omit other sources', () => {
    const found = placements(ofPackage, own(true, drawing('default', 'mine'), drawing('wordmark', 'letters')));
    expect(found.map(({ drawing: name, slug, variant }) => [name, slug, variant])).to.deep.equal([
      ['acme/default', 'acme', 'default'],
      ['acme/wordmark', 'acme', 'wordmark'],
    ]);
    expect(found[0]?.because).to.include("the operator's own");
    expect(found[1]?.because).to.equal('the source uses this name');
  });

  it('name unused drawings, and the preferred one with its points', () => {
    const [found] = placements(ofPackage, own(false, drawing('default', 'mine', { colors: ['#333333'] })));
    expect(found).to.include({ source: 'folder:mine', slug: 'acme', variant: null });
    expect(found?.because).to.match(/^brands:acme\/default is preferred, with -?\d+ points versus -?\d+$/);
  });

  it('omit derived drawings, because they are not the source’s', () => {
    const derived = drawing('default.dark', 'derived', { derivedFrom: { etag: 'mine', role: 'dark' } });
    expect(placements(ofPackage, own(true, drawing('default', 'mine'), derived))).to.have.length(1);
  });
});
