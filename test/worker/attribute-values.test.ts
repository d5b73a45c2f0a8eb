// Attribute values of drawings: references and variables, also in texts of any length.
import { expect } from 'chai';
import { localUrl } from '../../workers/sanitize/attribute-values.js';
import { withoutVariables } from '../../workers/sanitize/inline-css.js';

/** Quadratic time for so many characters is more than any limit of a test. */
const MANY = 3_000_000;

describe('attribute values', () => {
  it('name the id of a local reference, in linear time', () => {
    expect(localUrl('url(#a)')).to.equal('a');
    expect(localUrl('url( "#a b" ) red')).to.equal('a b');
    expect(localUrl("url('#a')")).to.equal('a');
    expect(localUrl('url(#a ) red')).to.equal('a ');
    for (const other of ['url(a)', 'url("#a)', 'url(#)', 'red', 'url(https://icons.example/#a)'])
      expect(localUrl(other), other).to.equal(undefined);
    expect(localUrl(`url(#${' '.repeat(MANY)}`)).to.equal(undefined);
  });

  it('are those of the fallback where they name a variable', () => {
    expect(withoutVariables('var(--ink, red)')).to.equal('red');
    expect(withoutVariables('VAR(--ink , rgb(1, 2, 3) )')).to.equal('rgb(1, 2, 3)');
    expect(withoutVariables('var(--a,1px) var(--b, 2px)')).to.equal('1px 2px');
    expect(withoutVariables('var(--a)')).to.equal(undefined);
    expect(withoutVariables('var(--a, var(--b, blue))')).to.equal(undefined);
    expect(withoutVariables('red')).to.equal('red');
  });
});
