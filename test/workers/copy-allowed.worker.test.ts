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

/** Elements with the paint attributes, each with the attributes without which it would draw nothing. */
const PAINTED: Readonly<Record<string, Attributes>> = {
  ...{
    g: {},
    defs: {},
    path: SQUARE,
    rect: {},
    circle: {},
    ellipse: {},
    line: {},
    clipPath: {},
    mask: {},
    pattern: {},
  },
  ...{ polyline: { points: '0 0 9 9' }, polygon: { points: '0 0 9 9' } },
};
const IN_USER_SPACE: Readonly<Record<string, Attributes>> = {
  linearGradient: { gradientUnits: 'userSpaceOnUse' },
  radialGradient: { gradientUnits: 'userSpaceOnUse' },
  mask: { maskUnits: 'userSpaceOnUse' },
  pattern: { patternUnits: 'userSpaceOnUse' },
  filter: { filterUnits: 'userSpaceOnUse' },
};
const ALL_PAINTED = Object.keys(PAINTED).join(' ');
const PRIMITIVES =
  'feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap ' +
  'feDropShadow feFlood feGaussianBlur feMerge feMorphology feOffset feSpecularLighting feTurbulence';

/** Elements, attributes, values that the copy keeps, and values that it loses. */
const VALUES: readonly (readonly [elements: string, attributes: string, kept: string[], lost: string[]])[] = [
  [ALL_PAINTED, 'opacity fill-opacity stroke-opacity', ['0', '0.5', '1'], ['half', '1px']],
  [ALL_PAINTED, 'fill-rule clip-rule', ['nonzero', 'evenodd'], ['odd']],
  [ALL_PAINTED, 'fill stroke', ['none', 'url(#a)', '#ff0000'], ['url(a)', 'currentColor']],
  [ALL_PAINTED, 'stroke-width', ['0', '2'], ['-1', '5%']],
  [ALL_PAINTED, 'stroke-linecap', ['butt', 'round', 'square'], ['flat']],
  [ALL_PAINTED, 'stroke-linejoin', ['miter', 'round', 'bevel'], ['arcs', 'miter-clip']],
  [ALL_PAINTED, 'stroke-miterlimit stroke-dashoffset', ['2', '-2'], ['2em']],
  [ALL_PAINTED, 'stroke-dasharray', ['1 2', 'none'], ['1 x', '-1']],
  [ALL_PAINTED, 'display', ['none', 'inline'], ['block']],
  [ALL_PAINTED, 'visibility', ['visible', 'hidden', 'collapse'], ['none']],
  [ALL_PAINTED, 'overflow', ['visible', 'hidden'], ['auto']],
  [ALL_PAINTED, 'clip-path mask filter', ['url(#a)'], ['url(a)', 'url(#a) url(#b)', 'blur(2px)']],
  [ALL_PAINTED, 'mask-type', ['luminance', 'alpha'], ['both']],
  [
    ALL_PAINTED,
    'mix-blend-mode',
    [
      ...['multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light'],
      ...['soft-light', 'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity'],
    ],
    ['plus-lighter'],
  ],
  [ALL_PAINTED, 'isolation', ['isolate'], ['isolated']],
  [
    ALL_PAINTED,
    'paint-order',
    [
      ...['fill', 'stroke', 'fill stroke', 'stroke fill', 'stroke fill markers', 'fill stroke markers'],
      'markers fill stroke',
    ],
    ['markers', 'stroke markers'],
  ],
  [ALL_PAINTED, 'shape-rendering', ['auto', 'crispEdges', 'geometricPrecision', 'optimizeSpeed'], ['sharp']],
  [`${ALL_PAINTED} filter ${PRIMITIVES}`, 'color-interpolation-filters', ['sRGB', 'linearRGB'], ['auto']],
  [ALL_PAINTED.replace(' mask pattern', ''), 'transform', ['rotate(45)'], ['turn(45)']],
  ['linearGradient radialGradient', 'gradientTransform', ['rotate(45)'], ['turn(45)']],
  ['pattern', 'patternTransform', ['rotate(45)'], ['turn(45)']],
  [`rect mask pattern filter ${PRIMITIVES}`, 'x y', ['2', '-2'], ['2em', '5%']],
  [`rect mask pattern filter ${PRIMITIVES}`, 'width height', ['0', '2'], ['-2', '5%']],
  ['rect ellipse', 'rx ry', ['0', '2'], ['-2']],
  ['circle ellipse radialGradient', 'cx cy', ['2', '-2'], ['5%']],
  ['circle radialGradient', 'r', ['0', '2'], ['-2']],
  ['line linearGradient', 'x1 y1 x2 y2', ['2', '-2'], ['5%']],
  ['radialGradient', 'fx fy', ['2', '-2'], ['5%']],
  ['radialGradient', 'fr', ['0', '2'], ['-2']],
  ['linearGradient radialGradient', 'spreadMethod', ['pad', 'reflect', 'repeat'], ['mirror']],
  ['linearGradient radialGradient', 'gradientUnits', ['userSpaceOnUse', 'objectBoundingBox'], ['box']],
  ['stop', 'offset stop-opacity', ['0', '0.5', '1'], ['half']],
  ['stop', 'stop-color', ['#ff0000'], ['none', 'url(#a)']],
  ['clipPath', 'clipPathUnits', ['userSpaceOnUse', 'objectBoundingBox'], ['box']],
  ['mask', 'maskUnits maskContentUnits', ['userSpaceOnUse', 'objectBoundingBox'], ['box']],
  ['pattern', 'patternUnits patternContentUnits', ['userSpaceOnUse', 'objectBoundingBox'], ['box']],
  ['filter', 'filterUnits primitiveUnits', ['userSpaceOnUse', 'objectBoundingBox'], ['box']],
  ['pattern', 'viewBox', ['0 0 9 9'], ['0 0 9 9 9', '0 0 9 x']],
  ['pattern', 'preserveAspectRatio', ['none', 'xMinYMid', 'xMaxYMax slice', 'xMidYMin meet'], ['xMinYMin crop', 'x']],
  [PRIMITIVES, 'in result', ['a', 'b-1'], ['a b', 'a"b', 'é', 'x'.repeat(61)]],
  ['feMergeNode', 'in', ['a'], ['a b']],
  ['feBlend feComposite feDisplacementMap', 'in2', ['a'], ['a b']],
  ['feBlend', 'mode', ['multiply', 'color-dodge'], ['url(#a)', 'x'.repeat(21)]],
  ['feColorMatrix', 'type', ['matrix', 'saturate', 'hueRotate', 'luminanceToAlpha'], ['sepia']],
  ['feColorMatrix', 'values', ['0.5', numbers(20)], [numbers(21), 'x']],
  ['feComposite', 'operator', ['over', 'in', 'out', 'atop', 'xor', 'lighter', 'arithmetic'], ['plus']],
  ['feComposite', 'k1 k2 k3 k4', ['2', '-2'], ['5%']],
  ['feConvolveMatrix', 'order', ['3', '3 5'], ['3 3 3']],
  ['feConvolveMatrix', 'kernelMatrix', [numbers(25)], [numbers(26)]],
  ['feConvolveMatrix', 'divisor targetX targetY', ['2', '-2'], ['x']],
  ['feConvolveMatrix', 'edgeMode', ['duplicate'], ['wrap', 'none']],
  ['feConvolveMatrix', 'preserveAlpha', ['false'], ['true']],
  ['feDiffuseLighting feSpecularLighting', 'surfaceScale', ['2', '-2'], ['x']],
  ['feDiffuseLighting feSpecularLighting', 'kernelUnitLength', ['2', '2 3'], ['1 2 3']],
  ['feDiffuseLighting feSpecularLighting', 'lighting-color', ['#ff0000'], ['none']],
  ['feDiffuseLighting', 'diffuseConstant', ['2'], ['x']],
  ['feSpecularLighting', 'specularConstant specularExponent', ['2'], ['x']],
  ['feDisplacementMap', 'scale', ['2', '-2'], ['x']],
  ['feDisplacementMap', 'xChannelSelector yChannelSelector', ['R', 'G', 'B', 'A'], ['r']],
  ['feDistantLight', 'azimuth elevation', ['2', '-2'], ['x']],
  ['fePointLight feSpotLight', 'x y z', ['2', '-2'], ['x']],
  ['feSpotLight', 'pointsAtX pointsAtY pointsAtZ specularExponent', ['2'], ['x']],
  ['feDropShadow feOffset', 'dx dy', ['2', '-2'], ['x']],
  ['feDropShadow feGaussianBlur', 'stdDeviation', ['2', '2 3'], ['1 2 3', 'x']],
  ['feDropShadow feFlood', 'flood-opacity', ['0', '0.5', '1'], ['x']],
  ['feDropShadow feFlood', 'flood-color', ['#ff0000'], ['none']],
  ['feGaussianBlur', 'edgeMode', ['none'], ['duplicate', 'wrap']],
  ['feMorphology', 'operator', ['erode', 'dilate'], ['open']],
  ['feMorphology', 'radius', ['2', '2 3'], ['1 2 3']],
  ['feFuncR feFuncG feFuncB feFuncA', 'type', ['identity', 'table', 'discrete', 'linear', 'gamma'], ['x']],
  ['feFuncR feFuncG feFuncB feFuncA', 'tableValues', [numbers(64)], [numbers(65)]],
  ['feFuncR feFuncG feFuncB feFuncA', 'slope intercept amplitude exponent offset', ['2', '-2'], ['2px']],
  ['feTurbulence', 'baseFrequency', ['0.5', '0.5 0.2'], ['1 2 3']],
  ['feTurbulence', 'numOctaves', ['1', '8'], ['0', '9', '1.5', '10']],
  ['feTurbulence', 'seed', ['2', '-2'], ['x']],
  ['feTurbulence', 'stitchTiles', ['noStitch'], ['stitch']],
  ['feTurbulence', 'type', ['fractalNoise', 'turbulence'], ['noise']],
];

function numbers(count: number): string {
  return Array.from({ length: count }, (_, at) => String(at)).join(' ');
}

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

  it('keeps each allowed value of each allowed attribute, and loses every other value', () => {
    for (const [elements, attributes, kept, lost] of VALUES)
      for (const name of elements.split(' '))
        for (const attribute of attributes.split(' ')) {
          const others = { ...PAINTED[name], ...IN_USER_SPACE[name] };
          const label = (value: string) => `${attribute}="${value}" of <${name}>`;
          for (const value of kept)
            expect(copied(name, { ...others, [attribute]: value }), label(value)).to.deep.include({
              attributes: { ...others, [attribute]: value },
              lost: [],
            });
          for (const value of lost)
            expect(copied(name, { ...others, [attribute]: value }).lost, label(value)).to.deep.equal([
              `${attribute} of <${name}>`,
            ]);
        }
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
