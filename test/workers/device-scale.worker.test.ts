// Transforms of a document: where its elements are in a picture, and how wide their blurs are there.
import { expect } from 'chai';
import { invert, multiply, parseTransform, type Affine } from '../../workers/rasterize/affine.js';
import { placed } from '../../workers/rasterize/device-scale.js';
import { widenNarrowBlurs } from '../../workers/rasterize/narrow-blurs.js';
import { parseDrawing, walk } from '../../workers/svg/svg-tree.js';

const NS = 'xmlns="http://www.w3.org/2000/svg"';

function expectMatrix(actual: Affine | undefined, expected: readonly number[], name: string): void {
  expect(actual, name).to.have.length(6);
  actual!.forEach((part, at) => expect(part, `${name}: ${actual!.join(' ')}`).to.be.closeTo(expected[at]!, 1e-9));
}

/** Returns the transforms of the elements with these names, in a picture of this size. */
function matrixOf(svg: string, name: string, [width, height]: readonly [number, number]): Affine | undefined {
  return placed(parseDrawing(svg), { width, height }).find(({ node }) => node.name === name)?.matrix;
}

describe('transforms of a document', () => {
  it('move a point as in SVG', () => {
    for (const [list, x, y] of [
      ['', 1, 2],
      ['translate(3)', 4, 2],
      ['translate(3 4)', 4, 6],
      ['scale(2)', 2, 4],
      ['scale(2 3)', 2, 6],
      ['rotate(90)', -2, 1],
      ['rotate(90 10 20)', 28, 11],
      ['skewX(45)', 3, 2],
      ['skewY(45)', 1, 3],
      ['matrix(1 2 3 4 5 6)', 12, 16],
      ['translate(10 0)scale(2)', 12, 4],
      ['scale(2)translate(10 0)', 22, 4],
    ] as const) {
      const [a, b, c, d, e, f] = parseTransform(list);
      expect(a * 1 + c * 2 + e, `x after ${list}`).to.be.closeTo(x, 1e-9);
      expect(b * 1 + d * 2 + f, `y after ${list}`).to.be.closeTo(y, 1e-9);
    }
  });

  it('have an inverse, unless they leave no area', () => {
    const matrix = parseTransform('translate(3 4)rotate(30)scale(2 5)skewX(10)');
    expectMatrix(multiply(matrix, invert(matrix)!), [1, 0, 0, 1, 0, 0], 'after its inverse');
    for (const flat of ['scale(0)', 'scale(1 0)', 'matrix(1 1 1 1 0 0)', 'translate(x)scale(x)'])
      expect(invert(parseTransform(flat)), flat).to.equal(undefined);
  });

  it('include the viewBox, which is centered and keeps its ratio', () => {
    const path = (attributes: string) => `<svg ${NS} ${attributes}><path/></svg>`;
    for (const [attributes, size, expected] of [
      ['viewBox="0 0 100 100"', [200, 100], [1, 0, 0, 1, 50, 0]],
      ['viewBox="0 0 100 100"', [100, 300], [1, 0, 0, 1, 0, 100]],
      ['viewBox="10 20 50 50"', [100, 100], [2, 0, 0, 2, -20, -40]],
      ['viewBox="0 0 100 100" preserveAspectRatio="none"', [200, 50], [2, 0, 0, 0.5, 0, 0]],
      ['viewBox="10 20 100 100" preserveAspectRatio="none"', [200, 50], [2, 0, 0, 0.5, -20, -10]],
      ['', [200, 50], [1, 0, 0, 1, 0, 0]],
    ] as const)
      expectMatrix(matrixOf(path(attributes), 'path', size), expected, attributes);
  });

  it('include the transforms of groups and the places of nested documents', () => {
    const nested = (attributes: string) =>
      `<svg ${NS} viewBox="0 0 100 100"><g transform="scale(3)"><svg ${attributes}><path transform="translate(1 2)"/></svg></g></svg>`;
    expectMatrix(
      matrixOf(nested('x="10" y="20" width="40" height="20" viewBox="0 0 10 10"'), 'path', [100, 100]),
      [6, 0, 0, 6, 66, 72],
      'with a viewBox',
    );
    expectMatrix(
      matrixOf(nested('x="10" y="20" width="40" height="20"'), 'path', [100, 100]),
      [3, 0, 0, 3, 33, 66],
      'without a viewBox',
    );
  });

  it('exist for elements that are not drawn, too', () => {
    const drawn = placed(
      parseDrawing(
        `<svg ${NS} viewBox="0 0 9 9"><rect/><defs><path/></defs><mask><g><line/></g></mask><g><circle/></g></svg>`,
      ),
      { width: 9, height: 9 },
    ).map(({ node, isDrawn }) => `${node.name} ${String(isDrawn)}`);
    expect(drawn).to.deep.equal([
      ...['svg true', 'rect true', 'defs false', 'path false', 'mask false', 'g false', 'line false', 'g true'],
      'circle true',
    ]);
  });
});

describe('narrow blurs', () => {
  /** Returns the blurs of each filtered element, as `stdDeviation` in units of this element. */
  function blursOf(filter: string, body: string, side = 100): readonly string[] {
    const svg = `<svg ${NS} width="${side}" height="${side}" viewBox="0 0 100 100">${filter}${body}</svg>`;
    const nodes = walk(parseDrawing(widenNarrowBlurs(svg, { width: side, height: side })));
    const found = new Map(nodes.map((node) => [`url(#${node.attributes.get('id') ?? ''})`, node]));
    return nodes
      .map(({ attributes }) => attributes.get('filter'))
      .filter((reference) => reference !== undefined)
      .map((reference) =>
        found
          .get(reference)!
          .children.map(({ attributes }) => attributes.get('stdDeviation') ?? '-')
          .join(),
      );
  }
  const blur = (deviation: string, attributes = '') =>
    `<filter id="f" ${attributes}><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
  const used = (transform: string) => `<g transform="${transform}"><path filter="url(#f)"/></g>`;

  it('have the deviation with which they look like in browsers', () => {
    for (const [deviation, expected] of [
      ['0.79', '0'],
      ['0.8', '1.5'],
      ['1.32', '1.5'],
      ['1.33', '1.88'],
      ['1.86', '1.88'],
      ['1.87', '2'],
      ['2', '2'],
      ['2.5', '2.5'],
      ['1 0.5', '1.5 0'],
      ['0.5,3', '0 3'],
    ] as const)
      expect(blursOf(blur(deviation), used('')), deviation).to.deep.equal([expected]);
    expect(blursOf(blur('0.5'), used(''), 200), 'in a larger picture').to.deep.equal(['0.75']);
  });

  it('have one deviation for each scale of the elements that share their filter', () => {
    expect(
      blursOf(blur('1'), used('') + used('scale(2)') + used('scale(.5)') + used('rotate(30)') + used('scale(-1 1)')),
    ).to.deep.equal(['1.5', '1', '0', '1.5', '1.5']);
    expect(blursOf(blur('1'), used('scale(4 1)')), 'the mean of an uneven scale').to.deep.equal(['1']);
  });

  it('have the initial deviation of their effect, and other effects keep theirs', () => {
    const steps = '<feDropShadow/><feGaussianBlur/><feOffset dx="1"/>';
    expect(blursOf(`<filter id="f">${steps}</filter>`, used('scale(.6)'))).to.deep.equal([`${1.5 / 0.6},0,-`]);
  });

  it('keep deviations in units of a box', () => {
    expect(blursOf(blur('1', 'primitiveUnits="objectBoundingBox"'), used(''))).to.deep.equal(['1']);
  });
});
