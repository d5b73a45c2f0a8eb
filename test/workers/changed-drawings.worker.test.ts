// Drawings with parts that the sanitizer cannot keep. It rejects the drawing if the difference is visible.
import { expect } from 'chai';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';

const drawing = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${inside}</svg>`;

const DASHES = '1 2 '.repeat(100).trim();
const INVERTED = Array.from({ length: 80 }, (_, at) => 1 - at / 79).join(' ');

describe('drawings that would look different', () => {
  for (const [lost, inside] of [
    ['stroke-dasharray of <path>', `<path d="M0 12H24" stroke="#f00" stroke-width="20" stroke-dasharray="${DASHES}"/>`],
    ['stroke-width of <path>', '<path d="M0 12H24" stroke="#f00" stroke-width="20000000"/>'],
    [
      'tableValues of <feFuncR>',
      '<filter id="f"><feComponentTransfer>' +
        `<feFuncR type="table" tableValues="${INVERTED}"/></feComponentTransfer></filter>` +
        '<path filter="url(#f)" d="M0 0H24V24H0z" fill="#f00"/>',
    ],
  ] as const)
    it(`are rejected, naming the lost part: ${lost}`, () => {
      expect(sanitizeSvg(drawing(inside))).to.deep.equal({
        ok: false,
        reason: 'drawing_changed',
        message: `the sanitized file would look different: ${lost} cannot be kept`,
      });
    });

  it('are accepted if only invisible parts are lost', () => {
    const outcome = sanitizeSvg(drawing(`<path d="M0 0H24V24H0z" fill="#f00" stroke-dasharray="${DASHES}"/>`));
    expect(outcome, JSON.stringify(outcome)).to.include({ ok: true });
  });
});
