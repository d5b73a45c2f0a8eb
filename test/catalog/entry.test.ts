// Parsing of slugs in requests.
import { expect } from 'chai';
import { parseSlug } from '../../src/catalog/entry.js';

describe('parseSlug', () => {
  it('accepts ASCII letters in either case', () => {
    expect(parseSlug('GitHub')).to.equal('github');
    expect(parseSlug('0.A_b-c')).to.equal('0.a_b-c');
    expect(parseSlug(`a${'b'.repeat(99)}`)).to.have.length(100);
  });

  it('rejects other texts, including characters with ASCII lower case', () => {
    for (const text of ['', '-a', '.a', 'a b', 'a\n', `a${'b'.repeat(100)}`, '\u212aubernetes', 'İ'])
      expect(parseSlug(text), text).to.equal(undefined);
  });
});
