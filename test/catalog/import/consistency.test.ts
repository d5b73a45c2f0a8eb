// Warnings in the import summary: each kind of warning appears only for its problem.
import { expect } from 'chai';
import { readCatalogConfig } from '../../../config/catalog.js';
import { brandEntry } from '../../../src/catalog/import/build-entry.js';
import type { CandidateVariant } from '../../../src/catalog/import/candidate.js';
import { doubtsAbout } from '../../../src/catalog/import/consistency.js';
import { groupBrands, type SourcedCandidate } from '../../../src/catalog/import/group-brands.js';
import { candidateOf, LOOK, sourceOf, variantNamed } from '../../support/entries.js';

const policy = { ...readCatalogConfig(), hosts: {}, merge: {} };
const SOURCES = ['a', 'b'] as const;

/**
 * Fingerprint of a single-color drawing. The left half has the alpha `level` (0 to 15), and the right half is opaque.
 */
const printOf = (level: number): string =>
  Buffer.from(Array.from({ length: 72 }, (_, pair) => (pair % 6 < 3 ? level * 17 : 255))).toString('base64');

function drawing(color: string, level: number, etag: string): CandidateVariant {
  const look = { ...LOOK, print: printOf(level), chromatic: 1, plate: null, faded: { light: 0, dark: 0 } };
  return { ...variantNamed('default', { colors: [color], on: ['light', 'dark'], etag }), look };
}

function brand(source: (typeof SOURCES)[number], key: string, hex: string | null, variant: CandidateVariant) {
  return { source: sourceOf(source), candidate: candidateOf(key, { hex, variants: [variant] }) };
}

function doubts(...candidates: SourcedCandidate[]): readonly string[] {
  const chosen = groupBrands(candidates, policy).flatMap(
    (group) => brandEntry(group, policy, (id) => SOURCES.findIndex((source) => source === id)) ?? [],
  );
  return doubtsAbout(chosen).map(({ kind, slugs }) => `${kind}: ${slugs.join(' ')}`);
}

describe('doubts about a merged catalog', () => {
  it('has none about a brand in its own color', () => {
    expect(doubts(brand('a', 'acme', '#E42527', drawing('#e42527', 0, 'one')))).to.deep.equal([]);
  });

  it('names a color that is far from every drawing', () => {
    const red = drawing('#e42527', 0, 'one');
    expect(doubts(brand('a', 'acme', '#00B0FF', red))).to.deep.equal(['far-color: acme']);
    expect(doubts(brand('a', 'acme', '#000000', red)), 'black is no color').to.deep.equal([]);
  });

  it('names drawings that look like two brands: another shape in another color', () => {
    const beside = (color: string, level: number) =>
      doubts(
        brand('a', 'acme', '#E42527', drawing('#e42527', 0, 'one')),
        brand('b', 'acme', null, drawing(color, level, 'two')),
      );
    expect(beside('#00b0ff', 15)).to.deep.equal(['unlike-drawings: acme']);
    expect(beside('#00b0ff', 0), 'the same shape').to.deep.equal([]);
    expect(beside('#e02020', 15), 'the same color').to.deep.equal([]);
  });

  it('names entries with the same drawing, once', () => {
    const one = brand('a', 'acme', '#E42527', drawing('#e42527', 0, 'one'));
    const twin = brand('b', 'acme-inc', '#E42527', drawing('#e42527', 0, 'two'));
    const other = brand('b', 'zenith', '#E42527', drawing('#e42527', 15, 'three'));
    expect(doubts(one, twin, other)).to.deep.equal(['same-drawing: acme acme-inc']);
  });
});
