// Copying a drawing with only the allowed attributes and elements. The earlier steps of the sanitizer are not run.
import { expect } from 'chai';
import { copyAllowed } from '../../workers/sanitize/copy-allowed.js';
import { LIMITS } from '../../workers/svg/drawing-limits.js';
import { element, Rejected, writeTree, type Element } from '../../workers/svg/svg-tree.js';

type Attributes = Readonly<Record<string, string>>;

function copied(name: string, attributes: Attributes, children: Element[] = []) {
  const root = element('g', [], [element(name, Object.entries(attributes), children)]);
  const { root: copy, lost } = copyAllowed(root);
  return { attributes: Object.fromEntries(copy.children[0]?.attributes ?? []), text: writeTree(copy), lost };
}

const SQUARE = { d: 'M0 0h9v9z' };

describe('the copy by the allow-list', () => {
  it('lacks elements and attributes that are not on the list, even without the earlier steps', () => {
    for (const name of ['script', 'foreignObject', 'image', 'a', 'use', 'style', 'constructor', '__proto__'])
      expect(copied(name, {}), name).to.deep.equal({ attributes: {}, text: '<g/>', lost: [`<${name}>`] });
    const hostile = {
      onload: 'alert(1)',
      style: 'fill:red',
      class: 'a',
      constructor: 'x',
      'xlink:href': '#a',
      ...SQUARE,
    };
    expect(copied('path', hostile)).to.deep.include({ attributes: SQUARE, lost: [] });
    expect(copied('linearGradient', { href: 'javascript:alert(1)' })).to.deep.include({
      attributes: {},
      lost: ['href of <linearGradient>'],
    });
  });

  it('has ids and references of plain characters only', () => {
    expect(copied('path', { id: 'n1', ...SQUARE }).attributes).to.have.property('id', 'n1');
    for (const id of ['a b', 'a"b', 'a)b', '', 'é', 'a#b'])
      expect(copied('path', { id, ...SQUARE }).attributes, id).to.not.have.property('id');
    expect(copied('path', { fill: 'url(#n1)', mask: 'url(#n2)', ...SQUARE }).attributes).to.include({
      fill: 'url(#n1)',
      mask: 'url(#n2)',
    });
    for (const address of ['url(http://x.example/#a)', 'url(#a) red', 'url("#a")', 'url(//x#a)', 'url(data:,#a)']) {
      const { attributes, lost } = copied('path', { fill: address, mask: address, ...SQUARE });
      expect(attributes, address).to.deep.equal(SQUARE);
      expect(lost, address).to.have.members(['fill of <path>', 'mask of <path>']);
    }
  });

  it('lacks inherited attributes with their default values, unless a parent element sets another value', () => {
    const defaults = { 'stroke-miterlimit': '4', 'paint-order': 'normal' };
    const path = () => element('path', Object.entries({ ...defaults, ...SQUARE }));
    const group = (attributes: Attributes) => copied('g', attributes, [element('g', [], [path()])]).text;
    expect(group(defaults)).to.not.match(/miterlimit|paint-order/);
    const text = group({ 'stroke-miterlimit': '10', 'paint-order': 'stroke' });
    for (const [name, value] of Object.entries(defaults))
      expect(text).to.match(new RegExp(`<path[^>]*${name}="${value}"`));
    const other = element('g', [['stroke-miterlimit', '10']]);
    expect(writeTree(copyAllowed(element('g', [], [other, path()])).root)).to.not.match(/miterlimit="4"/);
  });

  it('has colors of six digits, with their alpha in the opacity', () => {
    expect(copied('path', { fill: 'rgba(255,0,0,.5)', 'fill-opacity': '.5', ...SQUARE }).attributes).to.include({
      fill: '#ff0000',
      'fill-opacity': '0.25',
    });
    expect(copied('path', { stroke: '#00ff0080', ...SQUARE }).attributes['stroke-opacity']).to.match(/^0\.50/);
    expect(copied('stop', { 'stop-color': '#0000', offset: '0' }).attributes).to.include({ 'stop-opacity': '0' });
    expect(copied('path', { fill: 'transparent', ...SQUARE }).attributes).to.include({ fill: 'none' });
    expect(copied('path', { fill: 'no-color', ...SQUARE })).to.deep.include({
      attributes: SQUARE,
      lost: ['fill of <path>'],
    });
    for (const [name, attribute] of [
      ['path', 'stop-color'],
      ['stop', 'fill'],
      ['feFlood', 'lighting-color'],
      ['feOffset', 'flood-color'],
    ] as const)
      expect(
        copied(name, { [attribute]: 'red', ...(name === 'path' && SQUARE) }).attributes,
        name,
      ).to.not.have.property(attribute);
  });

  it('has no value that is too long, except path data, points and transforms', () => {
    const digits = `0.${'1'.repeat(2000)}`;
    expect(copied('rect', { width: digits, height: '1' })).to.deep.include({
      attributes: { height: '1' },
      lost: ['width of <rect>'],
    });
    const long = `M0 0${'h1'.repeat(2000)}`;
    expect(copied('path', { d: long }).attributes).to.deep.equal({ d: long });
  });

  it('rejects more path data than is drawn in time, counted over all elements', () => {
    const half = `M0 0${'h1'.repeat(LIMITS.pathChars / 4)}`;
    const paths = (count: number) =>
      copyAllowed(
        element(
          'g',
          [],
          Array.from({ length: count }, () => element('path', [['d', half]], [])),
        ),
      );
    expect(paths(1).root.children).to.have.length(1);
    expect(() => paths(2))
      .to.throw(Rejected)
      .with.property('reason', 'path_too_long');
  });

  it('lacks shapes that draw nothing, and values that equal the default', () => {
    expect(copied('path', { d: 'x' }).text).to.equal('<g/>');
    expect(copied('polygon', { points: 'no' }).text).to.equal('<g/>');
    const neutral = { 'mix-blend-mode': 'normal', mask: 'none', 'clip-path': 'none', filter: 'none', ...SQUARE };
    expect(copied('path', neutral)).to.deep.include({ attributes: SQUARE, lost: [] });
  });

  it('reads bare numbers of a box as shares, unless its units are user units', () => {
    const units = (gradientUnits: string) => copied('linearGradient', { gradientUnits, x2: '50%' }).attributes.x2;
    expect(units('objectBoundingBox')).to.equal('0.5');
    expect(units('userSpaceOnUse')).to.equal(undefined);
    expect(copied('linearGradient', { x2: '50%' }).attributes.x2).to.equal('0.5');
  });
});
