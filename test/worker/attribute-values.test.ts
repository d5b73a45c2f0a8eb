// Attribute values of drawings: references, variables, transforms and path data, also in texts of any length.
import { expect } from 'chai';
import { substituted } from '../../workers/sanitize/apply-styles.js';
import { pathData, points, transform } from '../../workers/sanitize/attribute-values.js';
import { partsOfUrl } from '../../workers/sanitize/resolve-references.js';

/** Quadratic time for so many characters is more than any limit of a test. */
const MANY = 3_000_000;

describe('attribute values', () => {
  it('are read as an address and a fallback, in linear time', () => {
    const table: readonly [text: string, address: string | undefined, fallback: string][] = [
      ['url(#a)', '#a', ''],
      ['url( "#a b" ) red', '#a b', 'red'],
      ["url('#a')", '#a', ''],
      ['url(#a ) red', '#a', 'red'],
      ['url(https://icons.example/#a)', 'https://icons.example/#a', ''],
      ['url("#a)', undefined, ''],
      ['red', undefined, ''],
      [`url(#${' '.repeat(MANY)}`, undefined, ''],
    ];
    for (const [text, address, fallback] of table)
      expect(partsOfUrl(text), text.slice(0, 40)).to.deep.equal({ address, fallback });
  });

  it('have the values of their variables, or the fallbacks', () => {
    const variables = new Map([['--ink', 'blue']]);
    expect(substituted('var(--ink, red)', variables)).to.equal('blue');
    expect(substituted('var(--gone, red)', variables)).to.equal('red');
    expect(substituted('VAR(--gone , rgb(1, 2, 3) )', variables)).to.equal('rgb(1, 2, 3)');
    expect(substituted('var(--a,1px) var(--b, 2px)', variables)).to.equal('1px 2px');
    expect(substituted('var(--a)', variables)).to.equal(undefined);
    expect(substituted('var(--a, var(--ink))', variables)).to.equal('blue');
    expect(substituted('red', variables)).to.equal('red');
    expect(substituted('var('.repeat(MANY), variables)).to.equal(undefined);
  });

  it('are path data and points up to the first error', () => {
    expect(pathData('M0 0 10 10L20,20a1 1 0 1120 20 L30')).to.equal('M0 0 10 10L20,20a1 1 0 1120 20');
    expect(pathData('M1-1.5.5e1z x')).to.equal('M1-1.5.5e1z'.slice(0, 6));
    expect(pathData('L0 0')).to.equal(undefined);
    expect(points('1,2 3 4 5')).to.equal('1,2 3 4');
    expect(points('no')).to.equal(undefined);
  });

  it('are transforms in the calls of SVG, or matrices, in linear time', () => {
    expect(transform(' translate(1,-2)  rotate( 45 ) ')).to.equal('translate(1 -2)rotate(45)');
    expect(transform('translateX(10px)')).to.equal('matrix(1 0 0 1 10 0)');
    expect(transform('rotate(0.25turn)')).to.equal('matrix(0 1 -1 0 0 0)');
    expect(transform('rotate(a)')).to.equal(undefined);
    expect(transform(`scale(${'1'.repeat(MANY)}`)).to.equal(undefined);
    expect(transform(`${' '.repeat(MANY)}scale(1)!`)).to.equal(undefined);
  });
});
