// Ids in a drawing, and references to missing ids.
import { expect } from 'chai';
import { nameIds } from '../../workers/sanitize/link-references.js';
import { linksIn } from '../../workers/svg/references.js';
import { parseSvg, writeTree } from '../../workers/svg/svg-tree.js';

function named(inside: string): string {
  const root = parseSvg(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
  nameIds(root, linksIn(root));
  return root.children.map(writeTree).join('');
}

describe('references of a sanitized drawing', () => {
  it('paint nothing, and do not clip, mask or filter, if they have no target', () => {
    // The paint must be `none`. Without the attribute, the shape would inherit another paint.
    expect(named('<g fill="url(#a)" stroke="url(#b)" clip-path="url(#c)" mask="url(#d)" filter="url(#e)"/>')).to.equal(
      '<g fill="none" stroke="none"/>',
    );
  });

  it('have one new name per target, and no other element has an id', () => {
    const text = named('<mask id="m"/><g id="g" mask="url(#m)"/><g mask="url(#m)"/><mask id="unused"/>');
    expect(text).to.match(/^<mask id="(b[0-9a-f]{10}-0)"\/><g mask="url\(#\1\)"\/><g mask="url\(#\1\)"\/><mask\/>$/);
  });
});
