// Lists and searches of large icon sets. The work is divided into slices, and other requests are served between the
// slices.
import { expect } from 'chai';
import { buildIconSet, collectionOf } from '../../src/iconify/icon-set.js';
import { buildKeywordIndex } from '../../src/iconify/keyword-index.js';
import { searchIcons } from '../../src/iconify/search-icons.js';
import { finish, STEPS_PER_SLICE, type Steps } from '../../src/platform/concurrency/time-slices.js';

const ICONS = 20_000;

function slicesOf(steps: Steps<unknown>): number {
  let slices = 1;
  while (steps.next().done !== true) slices++;
  return slices;
}

describe('icon sets of many icons', () => {
  const set = finish(
    buildIconSet({
      prefix: 'many',
      facts: { info: { name: 'Many' }, lastModified: null, box: {}, prefixes: null, suffixes: null },
      icons: Array.from({ length: ICONS }, (_, at) => ({
        name: `icon-n${at}`,
        at,
        props: {},
        source: { etag: 'a', isDocument: false, hasBox: false },
      })),
      aliases: [],
      categories: new Map(),
      chars: new Map(),
    }),
  );
  const index = finish(buildKeywordIndex([set]));
  const query = { limit: 999, isSoftLimit: false, prefixes: undefined, category: undefined, allowsPartial: true };

  it('are listed in slices', () => {
    expect(slicesOf(collectionOf(set, { info: true, chars: true }))).to.be.at.least((3 * ICONS) / STEPS_PER_SLICE);
  });

  it('are searched in slices', () => {
    expect(slicesOf(searchIcons(index, { ...query, text: 'icon' }))).to.be.at.least(ICONS / STEPS_PER_SLICE);
    expect(slicesOf(index.completions('n1', { suffixes: true }))).to.be.at.least(ICONS / STEPS_PER_SLICE);
    const words = Array.from({ length: 50 }, () => 'n').join(' ');
    expect(slicesOf(searchIcons(index, { ...query, text: words }))).to.be.at.least(
      (1225 * words.length) / STEPS_PER_SLICE,
    );
  });
});
