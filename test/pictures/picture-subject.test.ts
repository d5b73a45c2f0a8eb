// Fallback pictures: colors, corners and ids of monograms and empty pictures.
import { expect } from 'chai';
import { monogramBackground, monogramOfDomain, monogramOfName, monogramOfSlug } from '../../src/pictures/monogram.js';
import { PICTURE_QUERIES, pictureRequest } from '../../src/pictures/picture-request.js';
import { composeSubject, fallbackSubject } from '../../src/pictures/picture-subject.js';
import type { Slug } from '../../src/catalog/entry.js';

type Query = Readonly<Record<string, string>>;

const request = (query: Query) => pictureRequest('svg', PICTURE_QUERIES.svg.parse(query));
const monogram = (query: Query = {}, name = 'acme') =>
  fallbackSubject(monogramOfSlug(name as Slug), 'monogram', request(query));
const empty = (query: Query = {}) => fallbackSubject(monogramOfSlug('acme' as Slug), 'transparent', request(query));

describe('a monogram picture', () => {
  /** Background of the name `acme`, and its gray. */
  const [OWN, OWN_GREY] = ['6969dbff', '717171ff'];
  for (const [query, paint, background] of [
    [{}, 'ffffffff', OWN],
    [{ color: 'brand' }, 'ffffffff', OWN],
    [{ color: 'currentColor' }, 'ffffffff', OWN],
    [{ color: 'f008' }, 'ff000088', OWN],
    [{ greyscale: '1' }, 'ffffffff', OWN_GREY],
    [{ greyscale: '1', color: 'f00' }, '363636ff', OWN_GREY],
    [{ background: 'fff' }, '000000ff', 'ffffffff'],
    [{ background: '000' }, 'ffffffff', '000000ff'],
    [{ background: '369', greyscale: '1' }, 'ffffffff', '5f5f5fff'],
    [{ background: 'fff', color: 'f00' }, 'ff0000ff', 'ffffffff'],
  ] as const)
    it(`has these colors with ${JSON.stringify(query)}`, () => {
      expect(monogram(query).picture).to.include({ paint, background, greyscale: false });
    });

  it('has round corners without a requested background, because it always has one', () => {
    const corner = (query: Query) => monogram({ size: '100', radius: '20', ...query }).picture.geometry.cornerRadius;
    expect([corner({}), corner({ background: 'fff' }), corner({ radius: '0' })]).to.deep.equal([20, 20, 0]);
  });

  it('has an id for its letters, because names with equal colors share it', () => {
    expect(monogram({}, 'acme').drawing).to.equal('monogram:A');
    expect(monogram({}, 'big-corp').drawing).to.equal('monogram:BC');
  });

  it('keeps the background of a name in every release', () => {
    const names = ['acme', 'github', 'stripe', 'big-corp', 'example.com'];
    expect(names.map((name) => monogramBackground({ name }))).to.deep.equal([
      OWN,
      '008476ff',
      'cd4939ff',
      '008290ff',
      'b75f00ff',
    ]);
  });

  it('has letters of these sizes and distances', async () => {
    const letters = async (name: string) => {
      const svg = await composeSubject(monogram({}, name));
      return Array.from(svg.matchAll(/translate\([^)]*\)(?: scale\([^)]*\))?/g), ([transform]) => transform);
    };
    // One letter is 52 % of the side high, two letters are 42 %.
    expect(await letters('i')).to.deep.equal(['translate(115.22 61.44) scale(1.331)', 'translate(0 0)']);
    expect(await letters('l-t')).to.deep.equal([
      'translate(46.715 74.24) scale(1.075)',
      'translate(0 0)',
      'translate(70.5 0)',
    ]);
  });

  it('has only the initials of the first two words, even if one of them has no letter with an outline', () => {
    expect(monogramOfName('東京24 Acme Group').letters).to.equal('2A');
    expect(monogramOfName('Acme 東京 Group').letters).to.equal('A');
    expect(monogramOfName('東京 Acme Group').letters).to.equal('A');
  });

  it('composes a letter and its accent, and reads at most 300 characters of a name', () => {
    expect(monogramOfDomain('xn--a.example', 'и\u0306ога.example').letters).to.equal('Й');
    expect(monogramOfName(`${'x'.repeat(298)} yz`).letters).to.equal('XY');
    expect(monogramOfName(`${'x'.repeat(300)} yz`).letters).to.equal('X');
  });
});

describe('an empty picture', () => {
  for (const [query, background] of [
    [{}, null],
    [{ color: 'f00' }, null],
    [{ background: '369' }, '336699ff'],
    [{ background: '33669980', greyscale: '1' }, '5f5f5f80'],
  ] as const)
    it(`has only this background with ${JSON.stringify(query)}`, () => {
      expect(empty(query).picture).to.deep.include({ paint: null, background, greyscale: false });
      expect(empty(query).drawing).to.equal('transparent');
    });

  it('has the box, the background and the corners of the request', async () => {
    expect(await composeSubject(empty({ width: '40', height: '30', background: '369', radius: '50' }))).to.equal(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30">' +
        '<rect width="40" height="30" rx="15" fill="#336699"/>' +
        '<svg x="5" y="0" width="30" height="30" overflow="visible" viewBox="0 0 1 1"></svg></svg>',
    );
  });
});
