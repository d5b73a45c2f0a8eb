// The variant that is clear at a small size.
import { expect } from 'chai';
import { symbolVariant } from '../../src/pictures/symbol-variant.js';
import { variantNamed } from '../support/entries.js';

describe('symbol of an entry', () => {
  type Drawn = readonly [name: string, width: number, height: number];
  const drawn = ([name, width, height]: Drawn) => variantNamed(name, { width, height });
  const entry = (first: Drawn, ...others: readonly Drawn[]) => ({
    variants: [drawn(first), ...others.map(drawn)] as const,
  });

  it('is the default one, unless that is a wordmark', () => {
    expect(symbolVariant(entry(['default', 100, 80], ['badge', 10, 10]))).to.equal(null);
    expect(symbolVariant(entry(['default', 300, 100], ['mono', 24, 24], ['badge', 10, 10]))).to.equal('badge');
    expect(symbolVariant(entry(['default', 300, 100], ['badge', 10, 10], ['icon', 12, 10]))).to.equal('icon');
  });

  it('is the default one where all others are as long, or for one kind of page', () => {
    expect(symbolVariant(entry(['default', 300, 100], ['wordmark', 300, 90], ['horizontal', 200, 100]))).to.equal(null);
    expect(symbolVariant(entry(['default', 300, 100], ['badge-dark', 10, 10], ['light', 10, 10]))).to.equal(null);
  });
});
