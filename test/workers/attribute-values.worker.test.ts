// Values of SVG attributes: references, variables, transforms and path data, including very long values.
import { expect } from 'chai';
import { substituted } from '../../workers/sanitize/apply-styles.js';
import {
  boxLength,
  dashes,
  lengthOf,
  number,
  pathData,
  points,
  positive,
  share,
  transform,
} from '../../workers/sanitize/attribute-values.js';
import { cssTransform } from '../../workers/sanitize/css-transform.js';
import { LIMITS } from '../../workers/svg/drawing-limits.js';
import { partsOfUrl } from '../../workers/sanitize/resolve-references.js';

/** Length of long input, in characters. An algorithm with quadratic time would exceed the test's time limit. */
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
    const long = new Map([['--long', 'x'.repeat(600)]]);
    expect(substituted('var(--long)', long)).to.have.length(600);
    expect(substituted('var(--long)var(--long)', long)).to.equal(undefined);
  });

  it('are numbers up to ten million, on both sides of zero', () => {
    expect(['1e7', '-1e7', '1.50', '+.5', '3px'].map(number)).to.deep.equal([
      '10000000',
      '-10000000',
      '1.5',
      '0.5',
      '3',
    ]);
    for (const text of ['10000001', '-10000001', '1e999', '-1e999', '1em', '5%', 'x', '', '1 2', '0x10'])
      expect(number(text), text).to.equal(undefined);
    expect(['0', '2'].map(positive)).to.deep.equal(['0', '2']);
    expect(positive('-1')).to.equal(undefined);
    expect(['-1', '2', '50%', '150%', '0.25'].map(share)).to.deep.equal(['0', '1', '0.5', '1', '0.25']);
    expect(share('1px')).to.equal(undefined);
    expect(['50%', '2'].map(boxLength)).to.deep.equal(['0.5', '2']);
  });

  it('are lengths in CSS pixels', () => {
    const inPixels = {
      '1in': 96,
      '72pt': 96,
      '6pc': 96,
      '2.54cm': 96,
      '25.4mm': 96,
      '2em': 32,
      '2ex': 16,
      '7': 7,
      '7px': 7,
    };
    for (const [text, px] of Object.entries(inPixels)) expect(lengthOf(text, undefined), text).to.be.closeTo(px, 1e-9);
    expect(lengthOf('50%', 80)).to.equal(40);
    expect(lengthOf('50%', undefined)).to.equal(undefined);
    expect(lengthOf('-2e7px', undefined)).to.equal(undefined);
  });

  it('are dashes of a bounded number, none of them negative', () => {
    expect(dashes('1, 2 3')).to.equal('1 2 3');
    expect(dashes('none')).to.equal('none');
    for (const text of ['', '1 -2', '1 x', Array.from({ length: LIMITS.dashes + 1 }, () => '1').join(' ')])
      expect(dashes(text), text.slice(0, 20)).to.equal(undefined);
    expect(dashes(Array.from({ length: LIMITS.dashes }, () => '1').join(' '))).to.be.a('string');
  });

  it('are angles in every unit of CSS', () => {
    for (const angle of ['90deg', '100grad', '0.25turn', `${Math.PI / 2}rad`, '90'])
      cssTransform(`rotate(${angle})`)!.forEach((part, at) =>
        expect(part, angle).to.be.closeTo([0, 1, -1, 0, 0, 0][at]!, 1e-9),
      );
    expect(cssTransform('rotate(90px)')).to.equal(undefined);
    expect(cssTransform('skewX(45)')![2]).to.be.closeTo(1, 1e-9);
    expect(cssTransform('scale(2) translate(3, 4)')).to.deep.equal([2, 0, 0, 2, 6, 8]);
    expect(cssTransform('scaleY(2)')).to.deep.equal([1, 0, 0, 2, 0, 0]);
  });

  it('have at most fifty functions in a transform', () => {
    expect(cssTransform('scale(1)'.repeat(50))).to.deep.equal([1, 0, 0, 1, 0, 0]);
    expect(cssTransform('scale(1)'.repeat(51))).to.equal(undefined);
  });

  it('are path data and points up to the first invalid character', () => {
    expect(pathData('M0 0 10 10L20,20a1 1 0 1120 20 x1 1z')).to.equal('M0 0 10 10L20,20a1 1 0 1120 20');
    expect(pathData(' M0\n0 \t h1 ')).to.equal('M0 0 h1');
    for (const text of ['L0 0', 'none', '']) expect(pathData(text), text).to.equal(undefined);
    expect(points('1,2 3 4; 5')).to.equal('1,2 3 4');
    expect(points('no')).to.equal(undefined);
  });

  it('are transforms in SVG functions, or matrices, in linear time', () => {
    expect(transform(' translate(1,-2)  rotate( 45 ) ')).to.equal('translate(1 -2)rotate(45)');
    expect(transform('translateX(10px)')).to.equal('matrix(1 0 0 1 10 0)');
    expect(transform('rotate(0.25turn)')).to.equal('matrix(0 1 -1 0 0 0)');
    expect(transform('rotate(a)')).to.equal(undefined);
    expect(transform(`scale(${'1'.repeat(MANY)}`)).to.equal(undefined);
    expect(transform(`${' '.repeat(MANY)}scale(1)!`)).to.equal(undefined);
  });
});
