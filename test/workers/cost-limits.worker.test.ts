// Cost limits of a drawing: the last accepted value and the first rejected value of each limit.
import { expect } from 'chai';
import { rejectExpansion } from '../../workers/cost-limits/expanded-cost.js';
import { rejectCostlyFilters } from '../../workers/cost-limits/filter-limits.js';
import { LIMITS } from '../../workers/svg/drawing-limits.js';
import { linksIn } from '../../workers/svg/references.js';
import { parseSvg, Rejected } from '../../workers/svg/svg-tree.js';

const tree = (inside: string, before = '') =>
  parseSvg(`${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${inside}</svg>`);

/** Returns the reason and message of the rejection, or undefined if the drawing is accepted. */
function rejectionOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof Rejected) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return undefined;
}

function expansionOf(inside: string): string | undefined {
  const root = tree(inside);
  return rejectionOf(() => rejectExpansion(root, linksIn(root)));
}

const groups = (count: number, attributes: string, inside = ''): string =>
  `<g ${attributes}>`.repeat(count) + inside + '</g>'.repeat(count);

describe('limits of a drawing', () => {
  it('count every element as often as a reference draws it', () => {
    // Returns a drawing with `uses` `<use>` elements. Each one refers to a group of `paths` paths. The root, `defs` and
    // the group also count as elements.
    const drawn = (uses: number, paths: number): string =>
      `<defs><g id="a">${'<path/>'.repeat(paths)}</g></defs>${'<use href="#a"/>'.repeat(uses)}`;
    const elements = (uses: number, paths: number): number => 2 + (1 + paths) + uses * (2 + paths);
    expect(elements(99, 198)).to.equal(LIMITS.expandedElements + 1);
    expect(expansionOf(drawn(99, 197))).to.equal(undefined);
    expect(expansionOf(drawn(99, 198))).to.equal(`too_costly: the references expand to ${elements(99, 198)} elements`);
  });

  it('count a marker at every point of a path', () => {
    const marked = (points: number): string =>
      `<marker id="m">${'<path/>'.repeat(99)}</marker><path marker-mid="url(#m)" d="M0 0${' 1 1'.repeat(points)}"/>`;
    expect(expansionOf(marked(90))).to.equal(undefined);
    expect(expansionOf(marked(100))).to.match(/^too_costly: the references expand to 2\d{4} elements$/);
  });

  it('count layers, and layers in layers', () => {
    const { layers, nestedLayers } = LIMITS;
    const flat = (count: number): string => '<g opacity=".5"/>'.repeat(count);
    expect(expansionOf(flat(layers))).to.equal(undefined);
    expect(expansionOf(flat(layers + 1))).to.equal(`too_costly: the file has ${layers + 1} layers, 1 of them nested`);
    for (const attribute of ['opacity=".5"', 'clip-path="url(#c)"', 'mask="url(#m)"', 'isolation="isolate"']) {
      expect(expansionOf(groups(nestedLayers, attribute)), attribute).to.equal(undefined);
      expect(expansionOf(groups(nestedLayers + 1, attribute)), attribute).to.match(
        /^too_costly: the file has 17 layers, 17 of them/,
      );
    }
    expect(expansionOf(groups(nestedLayers + 1, 'opacity="1"'))).to.equal(undefined);
  });

  it('count primitives of filters for each use of the filter', () => {
    const { primitives, morphologies } = LIMITS;
    const filtered = (steps: string, uses = 1): string =>
      `<filter id="f">${steps}</filter>${'<path filter="url(#f)"/>'.repeat(uses)}`;
    expect(expansionOf(filtered('<feOffset/>'.repeat(primitives)))).to.equal(undefined);
    expect(expansionOf(filtered('<feOffset/>'.repeat(primitives + 1)))).to.equal(
      `filter_too_costly: the file applies ${primitives + 1} filter primitives; at most ${primitives} are allowed`,
    );
    expect(expansionOf(filtered('<feOffset/>'.repeat(primitives), 2))).to.match(
      /^filter_too_costly: the file applies 800 filter/,
    );
    expect(expansionOf(filtered('<feOffset/>'.repeat(primitives + 1), 0))).to.equal(undefined);
    // `feMergeNode` elements belong to the primitive `feMerge` and are not counted as primitives.
    expect(expansionOf(filtered(`<feMerge>${'<feMergeNode/>'.repeat(primitives)}</feMerge>`))).to.equal(undefined);
    expect(expansionOf(filtered('<feMorphology/>', morphologies))).to.equal(undefined);
    expect(expansionOf(filtered('<feMorphology/>', morphologies + 1))).to.equal(
      `filter_too_costly: the file applies <feMorphology> ${morphologies + 1} times; at most ${morphologies} are allowed`,
    );
  });

  it('count the depth of references, and reject circular ones', () => {
    const chain = (length: number): string =>
      Array.from({ length }, (_, at) => `<g id="a${at}"><use href="#a${at + 1}"/></g>`).join('');
    expect(expansionOf(chain(LIMITS.depth - 2))).to.equal(undefined);
    expect(expansionOf(chain(LIMITS.depth + 1))).to.equal('too_deep: the references are nested too deep');
    expect(expansionOf('<g id="a"><use href="#a"/></g>')).to.equal('too_costly: the references form a cycle');
  });

  it('bound the reach of a filter, by the longer side of the drawing', () => {
    const reach = (step: string, attributes = ''): string | undefined =>
      rejectionOf(() => {
        rejectCostlyFilters(tree(`<filter ${attributes}>${step}</filter>`), 24);
      });
    for (const attribute of ['stdDeviation', 'radius', 'dx', 'dy']) {
      expect(reach(`<feOffset ${attribute}="-24"/>`), attribute).to.equal(undefined);
      expect(reach(`<feOffset ${attribute}="0 -24.1"/>`), attribute).to.equal(
        'filter_too_costly: <feOffset> reaches 0 -24.1 units far in a drawing with a side of 24',
      );
    }
    expect(reach('<feMorphology radius="0.24"/>')).to.equal(undefined);
    expect(reach('<feMorphology radius="0.25"/>')).to.match(/^filter_too_costly/);
    expect(reach('<feOffset dx="1"/>', 'primitiveUnits="objectBoundingBox"')).to.equal(undefined);
    expect(reach('<feOffset dx="1.1"/>', 'primitiveUnits="objectBoundingBox"')).to.match(
      /in a drawing with a side of 1$/,
    );
    expect(reach('', 'width="8" height="8"')).to.equal(undefined);
    expect(reach('', 'height="8.1"')).to.equal(
      'filter_too_costly: a filter region is 8.1 times as large as its element',
    );
    expect(reach('', 'filterUnits="userSpaceOnUse" width="900"')).to.equal(undefined);
  });

  it('bound the elements, their nesting and the text of a document', () => {
    const parsed = (inside: string, before = ''): string | undefined => rejectionOf(() => tree(inside, before));
    expect(parsed('<g/>'.repeat(LIMITS.elements - 1))).to.equal(undefined);
    expect(parsed('<g/>'.repeat(LIMITS.elements))).to.equal('too_many_elements: the file has more than 4000 elements');
    // The root element is the first level.
    expect(parsed(groups(LIMITS.depth - 1, ''))).to.equal(undefined);
    expect(parsed(groups(LIMITS.depth, ''))).to.equal('too_deep: the elements are nested deeper than 64 levels');
    const wrapper = tree('').name.length + '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"></'.length + 1;
    expect(parsed('x'.repeat(LIMITS.sourceChars - wrapper))).to.equal(undefined);
    expect(parsed('x'.repeat(LIMITS.sourceChars - wrapper + 1))).to.match(
      /^too_large: the file has 1000001 characters/,
    );
  });

  it('bound the expanded text of entities', () => {
    const expanded = (uses: number): string | undefined =>
      rejectionOf(() =>
        tree(`<desc>${'&e;'.repeat(uses)}</desc>`, `<!DOCTYPE svg [<!ENTITY e "${'x'.repeat(1000)}">]>`),
      );
    expect(expanded(LIMITS.sourceChars / 1000)).to.equal(undefined);
    expect(expanded(LIMITS.sourceChars / 1000 + 1)).to.equal(
      'entities: the entities of the DOCTYPE expand to too much text',
    );
  });
});
