// Greyscale of sanitized drawings: every notation of a color.
import { expect } from 'chai';
import { greyscaleSvg } from '../../src/domain/image/greyscale.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';

const OTHER = '<path d="M0 0h4v4H0z" fill="#111111"/>';

function greyOf(inside: string): string {
  const outcome = sanitizeSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${OTHER}${inside}</svg>`);
  if (!outcome.ok) throw new Error(outcome.message);
  expect(outcome.recolorable).to.equal(false);
  return greyscaleSvg(outcome.svg);
}

const SHAPE = 'd="M4 4h16v16H4z"';

describe('greyscale of every notation', () => {
  const RED = '#363636';
  const table: readonly [string, string, string][] = [
    ['a name', `<path ${SHAPE} fill="Red"/>`, `fill="${RED}"`],
    ['short hex', `<path ${SHAPE} fill="#F00"/>`, `fill="${RED}"`],
    ['hex with alpha', `<path ${SHAPE} fill="#ff000080"/>`, `fill="${RED}" fill-opacity="0.501961"`],
    ['rgb()', `<path ${SHAPE} fill="rgb(255, 0, 0)"/>`, `fill="${RED}"`],
    ['rgb() in percent', `<path ${SHAPE} fill="rgb(100% 0% 0% / 50%)"/>`, `fill="${RED}" fill-opacity="0.5"`],
    ['hsl()', `<path ${SHAPE} fill="hsl(0 100% 50%)"/>`, `fill="${RED}"`],
    ['a style attribute', `<path ${SHAPE} style="fill: red"/>`, `fill="${RED}"`],
    ['a rule', `<style>.a{fill:red}</style><path ${SHAPE} class="a"/>`, `fill="${RED}"`],
    ['currentColor', `<g color="red"><path ${SHAPE} fill="currentColor"/></g>`, `fill="${RED}"`],
    ['a stroke', `<path ${SHAPE} fill="none" stroke="red"/>`, `stroke="${RED}"`],
    [
      'a stop',
      `<linearGradient id="a"><stop style="stop-color:red;stop-opacity:.5"/><stop offset="1"/></linearGradient>` +
        `<path ${SHAPE} fill="url(#a)"/>`,
      `stop-color="${RED}" stop-opacity="0.5"`,
    ],
    [
      'a flood',
      '<filter id="a"><feDropShadow dx="1" dy="1" stdDeviation="1" style="flood-color:rgb(255 0 0)"/></filter>' +
        `<path ${SHAPE} fill="red" filter="url(#a)"/>`,
      `flood-color="${RED}"`,
    ],
  ];
  for (const [name, inside, wanted] of table) {
    it(name, () => {
      const grey = greyOf(inside);
      expect(grey).to.include(wanted);
      expect(colorsIn(grey).filter((hex) => !isGrey(hex))).to.deep.equal([]);
    });
  }
});

function colorsIn(svg: string): readonly string[] {
  return [...svg.matchAll(/#[0-9a-f]{6}(?=")/g)].map(([hex]) => hex);
}

function isGrey(hex: string): boolean {
  return hex.slice(1, 3) === hex.slice(3, 5) && hex.slice(3, 5) === hex.slice(5);
}
