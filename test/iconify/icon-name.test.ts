// Icon names: valid for Iconify, unique, and independent of the order of the drawings.
import { matchIconName } from '@iconify/utils/lib/icon/name';
import { expect } from 'chai';
import fc from 'fast-check';
import { SLUG_PATTERN } from '../../src/catalog/entry.js';
import { assignNames, ICON_NAME_PATTERN, plainName, spelledName } from '../../src/iconify/icon-name.js';

const slug = fc.stringMatching(SLUG_PATTERN);
/** Names that easily become equal when invalid characters are replaced. */
const similar = fc.stringMatching(/^[ab][ab._-]{0,4}$/);

describe('names of icons', () => {
  it('spell out characters that the rule forbids', () => {
    for (const [text, spelled, plain] of [
      ['github', 'github', 'github'],
      ['node.js', 'node-dot-js', 'node-js'],
      ['a_b', 'a-underscore-b', 'a-b'],
      ['a---b', 'a-b', 'a-b'],
      ['a.', 'a-dot', 'a'],
      ['구글', undefined, undefined],
    ] as const) {
      expect(spelledName(text), text).to.equal(spelled);
      expect(plainName(text), text).to.equal(plain);
    }
  });

  it("follow Iconify's own rule", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const name of [spelledName(text), plainName(text)])
          if (name !== undefined) expect(name).to.match(matchIconName);
        expect(ICON_NAME_PATTERN.test(text)).to.equal(matchIconName.test(text));
      }),
    );
  });

  it('are given to all icons, each once, in any order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(slug, similar), { maxLength: 40 }), (slugs) => {
        const names = assignNames(slugs);
        expect([...names.keys()].sort()).to.deep.equal([...slugs].sort());
        expect(new Set(names.values())).to.have.length(slugs.length);
        for (const name of names.values()) expect(name).to.match(matchIconName);
        for (const text of slugs) if (matchIconName.test(text)) expect(names.get(text)).to.equal(text);
        const turned = assignNames([...slugs].reverse());
        for (const text of slugs) expect(turned.get(text)).to.equal(names.get(text));
      }),
    );
  });

  it('stay the same when others are added, unless they are spelled alike', () => {
    expect(assignNames(['node.js']).get('node.js')).to.equal('node-dot-js');
    expect(assignNames(['node.js', 'node-js', 'nodejs']).get('node.js')).to.equal('node-dot-js');
    const both = assignNames(['node-dot-js', 'node.js']);
    expect(both.get('node-dot-js')).to.equal('node-dot-js');
    expect(both.get('node.js')).to.match(/^node-dot-js-[0-9a-f]{6}$/);
  });
});
