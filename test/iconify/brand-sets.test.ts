// The brands of the catalog as Iconify icon sets: names, aliases and collisions.
import { expect } from 'chai';
import fc from 'fast-check';
import { SLUG_PATTERN, type Entry } from '../../src/catalog/entry.js';
import { createBrandSets } from '../../src/iconify/brand-sets.js';
import { buildIconSet, type IconSet } from '../../src/iconify/icon-set.js';
import { resolveNames } from '../../src/iconify/resolve-names.js';
import { finish } from '../../src/platform/concurrency/time-slices.js';
import { someEntry, someVariant } from '../support/entries.js';

function setsOf(entries: readonly Entry[]): Map<string, IconSet> {
  const sets = createBrandSets();
  for (const entry of entries) sets.add(entry);
  return new Map(finish(sets.finish(1)).map((material) => [material.prefix, finish(buildIconSet(material))]));
}

describe('the sets of the catalog', () => {
  it('include one for each variant, the default first', () => {
    const variants = [someVariant(), someVariant({ name: 'mono' }), someVariant({ name: 'size_16.x' })] as const;
    expect([...setsOf([someEntry('a', { variants }), someEntry('b')]).keys()]).to.deep.equal([
      'blazon',
      'blazon-mono',
      'blazon-size-underscore-16-dot-x',
    ]);
  });

  it('have titles and aliases as aliases, and the plain spelling of a slug', () => {
    const set = setsOf([someEntry('node.js', { title: 'Node.js', aliases: ['NodeJS', 'Node', '노드'] })]).get(
      'blazon',
    )!;
    expect([...set.icons.keys()]).to.deep.equal(['node-dot-js']);
    expect([...set.aliases.keys()].sort()).to.deep.equal(['node', 'node-js', 'nodejs']);
  });

  it('assign an ambiguous name to the icon with it, or else to the first slug', () => {
    const set = setsOf([
      someEntry('c', { aliases: ['a', 'shared'] }),
      someEntry('b', { aliases: ['shared'] }),
      someEntry('a'),
    ]).get('blazon')!;
    expect(set.icons.get('a')?.name).to.equal('a');
    expect(set.aliases.get('shared')?.parent).to.equal('b');
    expect(set.aliases.has('a')).to.equal(false);
  });

  it('resolve every name to an icon, for any slugs and aliases', () => {
    const entry = fc
      .record({
        slug: fc.stringMatching(SLUG_PATTERN),
        title: fc.string(),
        aliases: fc.array(fc.string(), { maxLength: 3 }),
      })
      .map(({ slug, ...names }) => someEntry(slug, names));
    fc.assert(
      fc.property(fc.uniqueArray(entry, { maxLength: 20, selector: ({ slug }) => slug }), (entries) => {
        const set = setsOf(entries).get('blazon');
        expect(set?.total ?? 0).to.equal(entries.length);
        const names = [...(set?.icons.keys() ?? []), ...(set?.aliases.keys() ?? [])];
        if (set) expect(resolveNames(set, names).notFound).to.deep.equal([]);
        for (const name of names) expect(name).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(new Set(names)).to.have.length(names.length);
      }),
    );
  });
});
