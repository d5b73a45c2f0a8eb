// Records (pages) that store an account's own brands: the number of pages, the pages that a change rewrites, and the
// total size of all pages.
import { expect } from 'chai';
import { assertLength, MAX_ACCOUNT_CHARS, pageCount, paged, pageOf } from '../../src/own-brands/brand-pages.js';
import { AppError } from '../../src/platform/errors.js';
import { someBrand } from '../support/own-brands.js';

describe('pages of own brands', () => {
  it('number enough for some hundred brands on each, and never fewer than before', () => {
    expect([0, 1, 100, 101, 400, 5000].map((brands) => pageCount(brands, 0))).to.deep.equal([0, 1, 1, 2, 4, 64]);
    expect([pageCount(10, 4), pageCount(0, 4)]).to.deep.equal([4, 0]);
    const pages = paged(
      Array.from({ length: 5000 }, (_, at) => someBrand(`b${at}`)),
      64,
    );
    expect(pages.flat()).to.have.length(5000);
    for (const [number, page] of pages.entries()) {
      expect(page.length).to.be.within(30, 150);
      for (const { slug } of page) expect(pageOf(slug, 64)).to.equal(number);
    }
  });

  it('have a total limit, above which they may only shrink', () => {
    const over = MAX_ACCOUNT_CHARS + 2;
    for (const [chars, before] of [
      [MAX_ACCOUNT_CHARS, 0],
      [over, over],
      [over - 1, over],
    ] as const)
      expect(() => assertLength(chars, before)).to.not.throw();
    expect(() => assertLength(MAX_ACCOUNT_CHARS + 1, 0))
      .to.throw(AppError)
      .with.property('code', 'brand_limit');
    expect(() => assertLength(over + 1, over)).to.throw(AppError);
  });
});
