// Names of files and drawings: slugs, variants, and very long input.
import { expect } from 'chai';
import { MAX_WRITTEN_NAME, VARIANT_NAME_PATTERN, variantNameOf, withoutEndDashes } from '../../src/catalog/names.js';
import { readFileName, slugOfFile } from '../../src/catalog/svg-files.js';

/** Length of long input, in characters. An algorithm with quadratic time would exceed the test's time limit. */
const MANY = 3_000_000;
const DASHES = `a${'-'.repeat(MANY)}b`;
/**
 * Worst case of Unicode normalization: each character of the second half must move in front of the whole first half.
 */
const MARKS = `a${'\u0315'.repeat(MANY / 2)}${'\u0300'.repeat(MANY / 2)}`;

describe('names of files and drawings', () => {
  it('are read in linear time, and rejected when they are too long', () => {
    for (const text of [DASHES, MARKS]) {
      expect(variantNameOf(text)).to.equal(undefined);
      expect(slugOfFile(text)).to.equal('');
      expect(VARIANT_NAME_PATTERN.test(text)).to.equal(false);
      expect(readFileName(`${text}.svg`)).to.deep.equal({ problem: 'the file name is longer than 255 characters' });
      expect(readFileName(`a--${text}.svg`)).to.have.property('problem');
    }
    expect(withoutEndDashes(`${DASHES}--`)).to.equal(DASHES);
    expect(slugOfFile(`a${'-'.repeat(MAX_WRITTEN_NAME - 2)}b`)).to.have.length(MAX_WRITTEN_NAME);
    expect(slugOfFile(`a${'b'.repeat(MAX_WRITTEN_NAME)}`)).to.equal('');
  });

  it('lose trailing dashes, and are never truncated silently', () => {
    expect(slugOfFile('-Über uns--')).to.equal('uber-uns');
    expect(variantNameOf('Dark (2)--')).to.equal('dark-2');
    expect(variantNameOf(`${'x'.repeat(63)}-${'y'.repeat(9)}`)).to.equal('x'.repeat(63));
    expect(readFileName(`a--${'x'.repeat(64)}.svg`)).to.deep.include({ variant: 'x'.repeat(64) });
    expect(readFileName(`a--${'x'.repeat(65)}.svg`)).to.deep.equal({
      problem: 'the variant name is longer than 64 characters',
    });
    for (const name of ['default', 'x', 'dark-2', 'a.b_c', 'x'.repeat(64)]) {
      expect(VARIANT_NAME_PATTERN.test(name), name).to.equal(true);
      expect(variantNameOf(name)).to.equal(name);
    }
    for (const name of ['', '-a', 'a-', 'A', 'ü', 'x'.repeat(65), 'a b', '.a'])
      expect(VARIANT_NAME_PATTERN.test(name), name).to.equal(false);
  });
});
