// The visible part of a drawing, the gradients that are kept, and whether the drawing is recolorable.
import { expect } from 'chai';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';
import type { SanitizeReply } from '../../workers/sanitizer-protocol.js';

const SHAPE = '<path d="M4 4h16v16h-16z"/>';
const drawing = (inside: string, attributes = ''): SanitizeReply =>
  sanitizeSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${attributes}>${inside}</svg>`);

describe('the frame of a drawing', () => {
  for (const [attributes, viewBox] of [
    ['width="48" height="24"', '-12 0 48 24'],
    ['width="24" height="48"', '0 -12 24 48'],
    ['width="48" height="24" preserveAspectRatio="xMinYMax"', '0 0 48 24'],
    ['width="24" height="48" preserveAspectRatio="xMinYMax meet"', '0 -24 24 48'],
    ['width="48" height="24" preserveAspectRatio="xMidYMid slice"', '0 6 24 12'],
    ['width="48" height="24" preserveAspectRatio="xMaxYMin slice"', '0 0 24 12'],
    ['width="24" height="48" preserveAspectRatio="xMaxYMin slice"', '12 0 12 24'],
    ['width="48" height="24" preserveAspectRatio="none"', '0 0 48 24'],
    ['width="24.1" height="24"', '0 0 24 24'],
  ] as const)
    it(`is the same as in a browser: ${attributes}`, () => {
      const outcome = drawing(SHAPE, attributes);
      expect(outcome, JSON.stringify(outcome)).to.have.property('svg').that.includes(`viewBox="${viewBox}"`);
    });
});

describe('a length of a drawing', () => {
  it('counts em by a font of 16 px, as a browser does', () => {
    const bar = (height: string) => drawing(`<rect x="4" y="4" width="16" height="${height}"/>`);
    expect(bar('0.5em')).to.have.property('svg').that.includes('M4 4h16v8H4Z');
    const line = drawing('<path style="stroke:red;stroke-width:.25em" d="M4 12h16"/>');
    expect(line).to.have.property('svg').that.includes('stroke-width="4"');
  });
});

describe('a drawing of one paint', () => {
  const overlapping = (attributes: string) =>
    `<path fill="#f00" d="M0 0h16v16H0z"/><path fill="#f00" ${attributes} d="M8 8h16v16H8z"/>`;

  it('has another color, unless its shapes are blended', () => {
    expect(drawing(overlapping(''))).to.include({ ok: true, recolorable: true });
    expect(drawing(overlapping('style="mix-blend-mode:multiply"'))).to.include({ ok: true, recolorable: false });
    expect(drawing(`<g style="mix-blend-mode:screen">${overlapping('')}</g>`)).to.include({ recolorable: false });
  });
});

describe('a radius of the focus of a gradient', () => {
  const gradient = (attributes: string) =>
    drawing(
      `<radialGradient id="g" ${attributes}><stop stop-color="red"/><stop offset="1" stop-color="blue"/></radialGradient>` +
        '<path fill="url(#g)" d="M0 0h24v24H0z"/>',
    );

  it('is kept if the gradient ends with its last color and the radius is the smaller one', () => {
    for (const kept of ['fr="0.1"', 'fr="0.1" spreadMethod="pad"', 'fr="0" spreadMethod="reflect"'])
      expect(gradient(kept), kept).to.include({ ok: true });
    for (const rejected of [
      'fr="0.1" spreadMethod="reflect"',
      'fr="0.1" spreadMethod="repeat"',
      'fr="0.5"',
      'fr="0.7"',
    ])
      expect(gradient(rejected), rejected).to.include({ ok: false, reason: 'unsupported_style' });
  });
});
