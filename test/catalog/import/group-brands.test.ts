// Grouping of import candidates into entries: names, groups, slugs, variants, redirects, licenses.
import { expect } from 'chai';
import { readCatalogConfig } from '../../../config/catalog.js';
import type { Candidate } from '../../../src/catalog/import/candidate.js';
import { brandEntry } from '../../../src/catalog/import/build-entry.js';
import { brandHex, repaint, variantOfDrawing } from '../../../src/catalog/drawing.js';
import { groupBrands, type SourcedCandidate } from '../../../src/catalog/import/group-brands.js';
import { categoryOf, nameKey, slugOf, splitKey } from '../../../src/catalog/names.js';
import { decideLicense } from '../../../src/catalog/import/import-policy.js';
import { assignRedirects } from '../../../src/catalog/assign-redirects.js';
import type { Slug } from '../../../src/catalog/entry.js';
import { finish } from '../../../src/platform/concurrency/time-slices.js';
import { candidateOf, LOOK, sourceOf, variantNamed } from '../../support/entries.js';

const policy = { ...readCatalogConfig(), hosts: {} };
const GLYPHS = sourceOf('package:glyphs', { kind: 'glyphs' });
const LOGOS = sourceOf('package:logos');
const BRANDS = sourceOf('package:brands');

const glyph = (key: string, title: string, facts: Partial<Candidate> = {}): SourcedCandidate => ({
  source: GLYPHS,
  candidate: candidateOf(key, { title, ...facts }),
});
const brand = (key: string, title: string, facts: Partial<Candidate> = {}): SourcedCandidate => ({
  source: BRANDS,
  candidate: candidateOf(key, { title, ...facts }),
});
const logo = (key: string, facts: Partial<Candidate> = {}): SourcedCandidate => ({
  source: LOGOS,
  candidate: candidateOf(key, { title: key.replaceAll('-', ' '), titleGuessed: true, ...facts }),
});
/** Returns the slug of each group and the keys of the group's candidates. */
const groups = (...candidates: SourcedCandidate[]) =>
  groupBrands(candidates, policy).map(
    ({ slug, members }) =>
      `${slug}: ${members
        .map(({ candidate }) => candidate.key)
        .sort()
        .join(' ')}`,
  );
const entryFor = (...candidates: SourcedCandidate[]) => {
  const [found] = groupBrands(candidates, policy);
  const order = [BRANDS.id, GLYPHS.id, LOGOS.id];
  return found && brandEntry(found, policy, (id) => order.indexOf(id))?.entry;
};

describe('catalog names', () => {
  it('recognizes spellings of one name, and keeps other names apart', () => {
    expect(['Node.js', 'nodejs', 'node-js', 'NODE.JS'].map(nameKey)).to.deep.equal(Array(4).fill('nodejs'));
    expect(new Set(['C', 'C++', 'C#', '.NET', 'NET', 'A&W', 'AW', 'Disney', 'Disney+'].map(nameKey)).size).to.equal(9);
  });

  it('derives the slug that a person would expect', () => {
    for (const [title, slug] of [
      ['Node.js', 'nodejs'],
      ['Visual Studio Code', 'visual-studio-code'],
      ['C++', 'cplusplus'],
      ['C#', 'csharp'],
      ['Disney+', 'disney-plus'],
      ['.NET', 'dotnet'],
      ["McDonald's", 'mcdonalds'],
      ['Crème Brûlée', 'creme-brulee'],
      ['A&W', 'a-and-w'],
      ['Socket.IO', 'socket-io'],
      ['1Password', '1password'],
      ['X', 'x'],
      ['微信', undefined],
    ] as const)
      expect(slugOf(title), title).to.equal(slug);
  });

  it('reads a suffix as a kind of drawing only if the name without it is another icon', () => {
    const keys = new Set(['oxc', 'oxc-icon', 'oxc-icon-dark', 'rubicon', 'dev-icon', '1password-badge']);
    expect(splitKey('oxc-icon-dark', keys)).to.deep.equal({ base: 'oxc', suffixes: ['icon', 'dark'] });
    expect(splitKey('dev-icon', keys)).to.deep.equal({ base: 'dev-icon', suffixes: [] });
    expect(splitKey('1password-badge', keys)).to.deep.equal({ base: '1password', suffixes: ['badge'] });
  });

  it('normalizes category names', () => {
    expect(['E-commerce', 'e-Commerce', 'E Commerce'].map(categoryOf)).to.deep.equal(Array(3).fill('e-commerce'));
    expect(categoryOf('Oil & Gas')).to.equal('oil-and-gas');
  });
});

describe('groupBrands', () => {
  const cases: readonly [rule: string, candidates: readonly SourcedCandidate[], brands: readonly string[]][] = [
    [
      'merges a brand that sources name differently',
      [glyph('nodedotjs', 'Node.js'), brand('nodejs', 'Node.js'), logo('nodejs-icon'), logo('nodejs')],
      ['nodejs: nodedotjs nodejs nodejs nodejs-icon'],
    ],
    [
      'merges a short name with "….js" where the source has no titles',
      [glyph('zogdotjs', 'Zog.js'), logo('zog')],
      ['zogjs: zog zogdotjs'],
    ],
    [
      'and not where it has',
      [glyph('elementdotjs', 'Element.js'), brand('element', 'Element')],
      ['element: element', 'elementjs: elementdotjs'],
    ],
    [
      'merges "maven" with Apache Maven where the source has no titles',
      [glyph('apachemaven', 'Apache Maven'), logo('maven')],
      ['apache-maven: apachemaven maven'],
    ],
    [
      'and not "Hive" with Apache Hive',
      [glyph('apachehive', 'Apache Hive'), brand('hive', 'Hive')],
      ['apache-hive: apachehive', 'hive: hive'],
    ],
    [
      'keeps products of two vendors apart that have one title',
      [
        ...[brand('azure-files', 'Files'), brand('files', 'Files')],
        ...[brand('gcp-security', 'Security'), brand('azure-security', 'Security')],
      ],
      ['azure-files: azure-files', 'azure-security: azure-security', 'files: files', 'gcp-security: gcp-security'],
    ],
    [
      "follows the operator's merges",
      [brand('amazon-web-services', 'Amazon Web Services'), logo('aws')],
      ['aws: amazon-web-services aws'],
    ],
  ];
  for (const [rule, candidates, brands] of cases) it(rule, () => expect(groups(...candidates)).to.deep.equal(brands));

  it('does not depend on the order of the candidates', () => {
    const all = cases.flatMap(([, candidates]) => candidates);
    expect(groups(...all)).to.deep.equal(groups(...[...all].reverse()));
  });
});

describe('brandEntry', () => {
  const [mark, wide] = [
    variantNamed('default', {
      recolorable: false,
      colors: ['#ff0000', '#00ff00'],
      on: ['light', 'dark'],
      etag: 'mark',
    }),
    variantNamed('default', { recolorable: false, colors: ['#ff0000', '#000000'], width: 240, etag: 'wide' }),
  ];
  const painted = [
    variantNamed('default', { colors: ['#ff0000'], on: ['light', 'dark'], etag: 'painted' }),
    variantNamed('mono', { etag: 'mono' }),
  ];
  const names = (entry: ReturnType<typeof entryFor>) =>
    Object.fromEntries((entry?.variants ?? []).map(({ name, etag }) => [name, etag]));

  it("uses the brand's own full-color mark, the wide one as its wordmark, the glyph as mono", () => {
    const entry = entryFor(
      logo('acme', { variants: [wide] }),
      logo('acme-icon', { variants: [mark] }),
      glyph('acme', 'Acme', { variants: painted, hex: '#FF0000' }),
    );
    expect(names(entry)).to.deep.equal({ default: 'mark', mono: 'mono', wordmark: 'wide' });
    expect(entry?.variants[0].name).to.equal('default');
    expect(entry).to.include({ slug: 'acme', title: 'Acme', hex: '#FF0000' });
  });

  it('uses the painted glyph if there is no other mark', () => {
    expect(
      names(entryFor(glyph('acme', 'Acme', { variants: painted }), logo('acme', { variants: [wide] }))),
    ).to.deep.equal({ default: 'painted', mono: 'mono', wordmark: 'wide' });
  });

  it('swaps light and dark if a source has them the other way round', () => {
    const variants = [
      mark,
      variantNamed('light', { on: ['dark'], etag: 'white' }),
      variantNamed('dark', { on: ['light'], etag: 'black' }),
    ];
    expect(names(entryFor(brand('acme', 'Acme', { variants })))).to.include({ light: 'black', dark: 'white' });
  });

  it('uses black for a paint that is invisible on white, and keeps that paint for dark pages', () => {
    const [pale, black] = [
      variantNamed('default', { colors: ['#f3f4e8'], on: ['dark'], etag: 'pale' }),
      variantNamed('mono', { etag: 'black' }),
    ];
    expect(names(entryFor(brand('acme', 'Acme', { variants: [pale, black] })))).to.deep.equal({
      default: 'black',
      dark: 'pale',
      mono: 'black',
    });
    for (const strong of ['#fbc817', '#f7ff14', '#00ff00']) {
      const mark = variantNamed('default', { colors: [strong], on: ['dark'], etag: 'strong' });
      expect(names(entryFor(brand('acme', 'Acme', { variants: [mark, black] })))).to.include({ default: 'strong' });
    }
  });

  it('does not use a wide icon as a wordmark', () => {
    const smile = variantNamed('icon', { recolorable: false, width: 64, etag: 'smile' });
    expect(names(entryFor(brand('acme', 'Acme', { variants: [mark, smile] })))).to.deep.equal({
      default: 'mark',
      icon: 'smile',
    });
  });

  it('ignores domains of hosts with pages of users', () => {
    const of = (title: string, website: string) => entryFor(brand(title.toLowerCase(), title, { website }))?.domains;
    expect(of('Acme', 'https://www.acme.example.com/')).to.deep.equal(['acme.example.com']);
    expect(of('Acme', 'https://github.com/acme/acme')).to.deep.equal([]);
    expect(of('Acme', 'https://github.com/')).to.deep.equal([]);
    expect(of('GitHub', 'https://github.com/logos')).to.deep.equal(['github.com']);
    expect(of('Acme', 'https://example.com/brands/acme')).to.deep.equal([]);
  });

  it('changes the revision with any drawing and the color only', () => {
    const revision = (facts: Partial<Candidate>) => entryFor(brand('acme', 'Acme', facts))?.revision;
    expect(revision({ variants: [mark] })).to.equal(revision({ variants: [mark], categories: ['x'], aliases: ['y'] }));
    expect(revision({ variants: [mark] })).to.not.equal(revision({ variants: [wide] }));
    expect(revision({ variants: [mark] })).to.not.equal(revision({ variants: [{ ...mark, painted: '0'.repeat(16) }] }));
    expect(revision({ variants: [mark], hex: '#FF0000' })).to.not.equal(revision({ variants: [mark], hex: '#0000FF' }));
    expect(revision({ variants: [mark] })).to.not.equal(revision({ variants: [{ ...mark, on: ['light'] }] }));
  });
});

describe('assignRedirects', () => {
  const of = (slug: string, names: Partial<{ stated: string[]; keys: string[]; names: string[] }>) => ({
    slug: slug as Slug,
    stated: [],
    keys: [],
    names: [],
    ...names,
  });
  const redirects = (...entries: ReturnType<typeof of>[]) => {
    const slugs = new Set<string>(entries.map(({ slug }) => slug));
    return Object.fromEntries(finish(assignRedirects(entries, (slug) => slugs.has(slug))));
  };

  it('redirects every other name to the entry, including the exact title', () => {
    const kubernetes = of('kubernetes', { stated: ['k8s'], keys: ['kubernetes-icon'], names: ['Kube Rnetes'] });
    expect(redirects(kubernetes, of('nodejs', { names: ['Node.js'] }))).to.deep.equal({
      ...{ k8s: 'kubernetes', 'kubernetes-icon': 'kubernetes', 'kube-rnetes': 'kubernetes' },
      'node.js': 'nodejs',
    });
  });

  it('never redirects from an entry or an ambiguous name, and prefers the operator to a source', () => {
    expect(redirects(of('x', { names: ['Twitter'] }), of('twitter', {}))).to.deep.equal({});
    expect(redirects(of('a', { names: ['Shared'] }), of('b', { names: ['Shared'] }))).to.deep.equal({});
    expect(redirects(of('a', { names: ['shared'] }), of('b', { stated: ['shared'] }))).to.deep.equal({ shared: 'b' });
  });
});

describe('license policy', () => {
  const decide = (type: string) => decideLicense(policy, { type, url: null });

  it('allows permissive licenses, by their SPDX identifier', () => {
    for (const type of ['CC0-1.0', 'MIT', 'Apache-2.0', 'BSD-3-Clause', 'CC-BY-4.0', 'PD'])
      expect(decide(type).allowed, type).to.equal(true);
    expect(decide('MIT')).to.deep.equal({
      allowed: true,
      license: { type: 'MIT', url: 'https://spdx.org/licenses/MIT.html', redistributable: true },
    });
  });

  it('rejects the others, with a reason', () => {
    const rejected = [
      ...[
        'CC-BY-ND-2.0',
        'CC-BY-NC-4.0',
        'GPL-3.0-only',
        'Unknown',
        'TODO',
        'Trademark',
        'Fair Use',
        'brand-use',
        'Custom',
      ],
      ...['Proprietary', '', 'Trademark of Acme. Used for identification under nominative fair use.', 'something new'],
    ];
    for (const type of rejected) {
      const decision = decide(type);
      expect(decision.allowed, type).to.equal(false);
      expect('because' in decision && decision.because.length > 5, type).to.equal(true);
    }
  });

  it("does not mark an operator's own pictures as redistributable", () => {
    expect(decide('LicenseRef-Own')).to.deep.include({
      allowed: true,
      license: { type: 'LicenseRef-Own', url: null, redistributable: false },
    });
  });
});

describe('catalog drawings', () => {
  const glyphDrawing = {
    svg: '<svg>currentColor</svg>',
    width: 24,
    height: 24,
    colors: ['#000000'],
    recolorable: true,
    on: ['light'],
    ink: [0, 0, 24, 24],
    look: LOOK,
    derived: {},
  } as const;

  it('have another content hash in another color', () => {
    const red = repaint(glyphDrawing, '#FF0000');
    expect(red.colors).to.deep.equal(['#ff0000']);
    expect(red.on).to.deep.equal(['light', 'dark']);
    expect(variantOfDrawing('a', red).etag)
      .to.match(/^[0-9a-f]{16}$/)
      .and.not.equal(variantOfDrawing('a', glyphDrawing).etag);
  });

  it('parse brand colors in the notations of the sources', () => {
    const colors = ['fff', '#0af', '181717', '#EA4335', 'red', ''].map(brandHex);
    expect(colors).to.deep.equal(['#FFFFFF', '#00AAFF', '#181717', '#EA4335', undefined, undefined]);
  });
});
