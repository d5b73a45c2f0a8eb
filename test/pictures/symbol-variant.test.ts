// Choice of the variant that is legible at small sizes.
import { expect } from 'chai';
import { symbolVariant } from '../../src/pictures/symbol-variant.js';
import { variantNamed } from '../support/entries.js';

describe('symbol of an entry', () => {
  type Drawn = readonly [name: string, width: number, height: number];
  const drawn = ([name, width, height]: Drawn) => variantNamed(name, { width, height });
  const entry = (first: Drawn, ...others: readonly Drawn[]) => ({
    variants: [drawn(first), ...others.map(drawn)] as const,
  });

  it('is the default, unless that is a wordmark', () => {
    expect(symbolVariant(entry(['default', 100, 80], ['badge', 10, 10]))).to.equal(null);
    expect(symbolVariant(entry(['default', 300, 100], ['mono', 24, 24], ['badge', 10, 10]))).to.equal('badge');
    expect(symbolVariant(entry(['default', 300, 100], ['badge', 10, 10], ['icon', 12, 10]))).to.equal('icon');
  });

  it('is the default if all others are as long, or are for one kind of page', () => {
    expect(symbolVariant(entry(['default', 300, 100], ['wordmark', 300, 90], ['horizontal', 200, 100]))).to.equal(null);
    expect(symbolVariant(entry(['default', 300, 100], ['badge-dark', 10, 10], ['light', 10, 10]))).to.equal(null);
  });

  it('is a shorter one if the sides of the default differ by more than 2.2', () => {
    const badge: Drawn = ['badge', 10, 10];
    for (const [width, height, name] of [
      [22, 10, null],
      [10, 22, null],
      [22.1, 10, 'badge'],
      [10, 22.1, 'badge'],
    ] as const)
      expect(symbolVariant(entry(['default', width, height], badge)), `${width} × ${height}`).to.equal(name);
  });

  it('is at most 1.8 times as long as high, or any if none is preferred', () => {
    const chosen = (...others: readonly Drawn[]) => symbolVariant(entry(['default', 300, 100], ...others));
    for (const [width, height, name] of [
      [18, 10, 'stacked'],
      [10, 18, 'stacked'],
      [18.1, 10, null],
      [10, 18.1, null],
    ] as const)
      expect(chosen(['stacked', width, height]), `${width} × ${height}`).to.equal(name);
    expect(chosen(['stacked', 10, 10], ['round', 10, 10])).to.equal('stacked');
    const names = ['stacked', 'badge', 'alternate', 'icon'] as const;
    const best = names.map((_, at) => chosen(...names.slice(0, at + 1).map((name): Drawn => [name, 10, 10])));
    expect(best).to.deep.equal(names);
    for (const name of ['mono', 'light', 'dark', 'line', 'wordmark', 'wordmark-2', 'icon-light', 'icon-dark'])
      expect(chosen([name, 10, 10]), name).to.equal(null);
  });

  it('is measured by its ink', () => {
    const inked = variantNamed('default', { width: 100, height: 100, ink: [0, 30, 90, 30] });
    expect(symbolVariant({ variants: [inked, variantNamed('badge')] })).to.equal('badge');
  });
});
