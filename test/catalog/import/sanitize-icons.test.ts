// Copies of drawings that the sanitizer makes for each kind of source.
import { expect } from 'chai';
import type { Derivation } from '../../../src/catalog/drawing.js';
import type { IconSource } from '../../../src/catalog/import/catalog-sources.js';
import { sanitizeIcons } from '../../../src/catalog/import/sanitize-icons.js';

const NAMES = ['default', 'alternate', 'wordmark', 'dark'];
const SET = { prefix: 'acme', info: { name: 'Acme', total: 1 } } as unknown as IconSource['iconSet'];

async function derivations(source: Pick<IconSource, 'kind' | 'iconSet'>): Promise<readonly Derivation[]> {
  let derived: readonly Derivation[] = [];
  const icon = {
    ...{ key: 'acme', title: 'Acme', titleGuessed: false, aliases: [], categories: [], hex: null, website: null },
    ...{ origin: null, guidelines: null, license: { type: 'MIT', url: null, redistributable: true } },
    drawings: NAMES.map((name) => ({ name, svg: `<svg id="${name}"/>` })),
  };
  await sanitizeIcons([icon], {
    source: { ...{ id: 'a', package: 'a', version: '1', prefix: null, size: 1, items: () => [] }, ...source },
    sanitizer: {
      async sanitize(svgs, derive = []) {
        derived = derive;
        return svgs.map(() => ({ ok: false, reason: 'empty', message: 'the file contains nothing visible' }));
      },
      close: async () => undefined,
    },
    skip: () => undefined,
    glyphs: new Set(),
  });
  return derived;
}

describe('derived drawings of a source', () => {
  it('include painted forms for brands', async () => {
    expect(await derivations({ kind: 'brands' })).to.deep.equal(['all', 'painted', 'backgrounds', 'look']);
  });

  it('are painted forms only for a set, and none for an Iconify set with small icons', async () => {
    const painted = Array<Derivation>(4).fill('painted');
    expect(await derivations({ kind: 'set' })).to.deep.equal(painted);
    expect(await derivations({ kind: 'set', iconSet: SET! })).to.deep.equal(Array<Derivation>(4).fill('nothing'));
  });
});
