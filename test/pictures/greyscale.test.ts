// Greyscale: weights of the color channels, all colors of a drawing, and combinations with other parameters.
import { expect } from 'chai';
import fc from 'fast-check';
import { parseColor, type Color } from '../../src/platform/text/color.js';
import { greyscaleColor, greyscaleSvg } from '../../src/pictures/greyscale.js';
import { pictureKey, pictureSpec } from '../../src/pictures/picture-spec.js';
import { PICTURE_QUERIES, pictureRequest } from '../../src/pictures/picture-request.js';
import { someEntry, someVariant } from '../support/entries.js';

const color = fc.integer({ min: 0, max: 0xffffffff }).map((value) => value.toString(16).padStart(8, '0') as Color);
const channels = (value: Color) => [0, 2, 4, 6].map((at) => Number.parseInt(value.slice(at, at + 2), 16));

describe('greyscale of a drawing', () => {
  it('covers every color attribute', () => {
    for (const name of ['fill', 'stroke', 'stop-color', 'flood-color', 'lighting-color'])
      expect(greyscaleSvg(`<g ${name}="#ff0000"/>`), name).to.equal(`<g ${name}="#363636"/>`);
  });
});

describe('greyscale of a color', () => {
  it('is its luma by the weights of Rec. 709', () => {
    const table: readonly [string, string][] = [
      ['red', '363636ff'],
      ['lime', 'b6b6b6ff'],
      ['blue', '121212ff'],
      ['yellow', 'edededff'],
      ['1d9bf0', '868686ff'],
      ['ff634780', '82828280'],
      ['black', '000000ff'],
      ['white', 'ffffffff'],
      ['7f7f7f', '7f7f7fff'],
    ];
    for (const [given, grey] of table) expect(greyscaleColor(parseColor(given)!), given).to.equal(grey);
  });

  it('is grey, keeps alpha and grey colors, and is between the smallest and largest channel', () => {
    fc.assert(
      fc.property(color, (given) => {
        const [red = 0, green = 0, blue = 0, alpha] = channels(given);
        const [level = 0, ...others] = channels(greyscaleColor(given));
        expect(others).to.deep.equal([level, level, alpha]);
        expect(level).to.be.within(Math.min(red, green, blue), Math.max(red, green, blue));
        expect(greyscaleColor(greyscaleColor(given))).to.equal(greyscaleColor(given));
      }),
    );
  });

  it('of a mixture is the mixture of the greys, as gradients and opacity mix', () => {
    fc.assert(
      fc.property(color, color, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, share) => {
        const mix = (a: number, b: number): number => Math.round(a + (b - a) * share);
        const mixed = channels(one).map((value, at) => mix(value, channels(other)[at] ?? 0));
        const hex = mixed.map((value) => value.toString(16).padStart(2, '0')).join('') as Color;
        const [ofMixture = 0] = channels(greyscaleColor(hex));
        const [first = 0, second = 0] = [one, other].map((each) => channels(greyscaleColor(each))[0]);
        // Rounding changes the mixed color, its gray, and the mixture of the two grays by at most 0.5 each.
        expect(Math.abs(ofMixture - (first + (second - first) * share))).to.be.at.most(1.5 + 1e-9);
      }),
    );
  });
});

describe('greyscale of a drawing', () => {
  it('changes every attribute that has a color, and nothing else', () => {
    expect(
      greyscaleSvg(
        '<svg><g fill="#ff0000" stroke="#00ff00"><path d="M0 0" fill="none" stroke="url(#a)"/></g><stop ' +
          'stop-color="#0000ff" stop-opacity="0.5"/><feFlood flood-color="#ff0000"/><path fill="currentColor"/></svg>',
      ),
    ).to.equal(
      '<svg><g fill="#363636" stroke="#b6b6b6"><path d="M0 0" fill="none" stroke="url(#a)"/></g><stop ' +
        'stop-color="#121212" stop-opacity="0.5"/><feFlood flood-color="#363636"/><path fill="currentColor"/></svg>',
    );
  });

  it('prevents color matrices from creating a color', () => {
    const matrix = (type: string, values: string) => `<feColorMatrix in="a"${type} values="${values}"/>`;
    expect(greyscaleSvg(matrix('', '0 0 0 0 1 0 0 0 0 0.5 0 0 0 0 0 0 0 0 0.25 0'))).to.equal(
      matrix('', '0 0 0 0 0.5702 0 0 0 0 0.5702 0 0 0 0 0.5702 0 0 0 0.25 0'),
    );
    for (const other of [
      matrix(' type="saturate"', '2'),
      matrix(' type="hueRotate"', '90'),
      '<feColorMatrix type="luminanceToAlpha"/>',
    ])
      expect(greyscaleSvg(other)).to.equal(other);
  });
});

describe('greyscale of filters', () => {
  it('weights the channels of noise', () => {
    expect(greyscaleSvg('<feTurbulence baseFrequency="0.1" result="a"/>')).to.equal(
      '<feTurbulence baseFrequency="0.1" result="a"/><feColorMatrix result="a" type="matrix" values="' +
        `${'0.2126 0.7152 0.0722 0 0 '.repeat(3)}0 0 0 1 0"/>`,
    );
  });

  it('gives every channel the function of green, and keeps the function of alpha', () => {
    const transfer =
      '<feComponentTransfer><feFuncA slope="2" type="linear"/><feFuncG slope="3" type="linear"/></feComponentTransfer>';
    expect(greyscaleSvg(transfer)).to.equal(
      `<feComponentTransfer>${['R', 'G', 'B'].map((name) => `<feFunc${name} slope="3" type="linear"/>`).join('')}` +
        '<feFuncA slope="2" type="linear"/></feComponentTransfer>',
    );
  });
});

describe('greyscale of a request', () => {
  const single = someEntry('single', {
    variants: [someVariant({ colors: ['#0000ff'], on: ['light', 'dark'] })],
    hex: '#FF0000',
  });
  const several = someEntry('several', { variants: [someVariant({ recolorable: false })] });

  function asked(query: Readonly<Record<string, string>>, entry = single) {
    const request = pictureRequest('png', PICTURE_QUERIES.png.parse(query));
    const { picture } = pictureSpec(entry, request);
    return { picture, key: pictureKey('drawing', picture, request) };
  }

  it('applies to the paint and the background', () => {
    const { paint, background } = asked({ greyscale: '1', background: 'ff000080' }).picture;
    expect([paint, background]).to.deep.equal(['121212ff', '36363680']);
    expect(asked({ greyscale: '1', color: '0f08' }).picture.paint).to.equal('b6b6b688');
    expect(asked({ greyscale: '1', color: 'brand' }).picture.paint).to.equal('363636ff');
  });

  it('has one key per picture: a single color shares the key of its grey', () => {
    expect(asked({ greyscale: '0', background: 'red' }).key).to.equal(asked({ background: 'red' }).key);
    expect(asked({ greyscale: '1' }).key).to.equal(asked({ color: '121212' }).key);
    expect(asked({ greyscale: '1' }, several).key).to.not.equal(asked({}, several).key);
    expect(asked({ greyscale: '0' }, several).key).to.equal(asked({}, several).key);
  });

  it('lets `on` judge a single color by its grey', () => {
    // The drawing is blue, and the brand's color is red. The blue is visible on a dark page. In greyscale, both colors
    // become grays that are too dark there, so the picture becomes white.
    expect(asked({ on: 'dark' }).picture.paint).to.equal('0000ffff');
    expect(asked({ on: 'dark', greyscale: '1' }).picture.paint).to.equal('ffffffff');
    const green = someEntry('green', { variants: single.variants, hex: '#00FF00' });
    expect(asked({ on: 'dark', greyscale: '1' }, green).picture.paint).to.equal('b6b6b6ff');
    expect(asked({ on: 'light', greyscale: '1' }).picture.paint).to.equal('121212ff');
  });
});
