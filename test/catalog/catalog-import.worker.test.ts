// Complete imports of small sources: summaries, dates and failures.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { openCatalogTools, type CatalogTools } from '../../src/catalog/catalog-tools.js';
import { openSvgFolder } from '../../src/catalog/sources/icon-sources.js';
import type { Entry, Slug } from '../../src/catalog/entry.js';
import type { ImportSummary } from '../../src/catalog/import/import-catalog.js';
import type { Candidate } from '../../src/catalog/import/candidate.js';
import type { PreparedSources, SourceItem } from '../../src/catalog/import/catalog-sources.js';
import { importIconSets, SHAPES } from '../support/icon-sets.js';
import { INHERITED_NAMES } from '../support/inherited-names.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const slug = (text: string): Slug => text as Slug;
const svg = (path: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}" ${attributes}/></svg>`;

const FACTS = {
  aliases: [],
  categories: [],
  hex: null,
  website: null,
  origin: null,
  guidelines: null,
  license: { type: 'MIT', url: null },
  titleGuessed: false,
};

describe('an import', () => {
  const { path: root, remove } = temporaryDir();
  const folder = join(root, 'icons');
  let tools: CatalogTools;
  let turn = 0;

  beforeEach(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    turn += 1;
    tools = await openCatalogTools(embeddedIn(join(root, `data-${turn}`)));
  });
  afterEach(() => tools.close());
  after(remove);

  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const sourceOf = ({ prefix = null, license = 'MIT' }: { prefix?: string | null; license?: string } = {}) =>
    openSvgFolder({ folder, kind: prefix === null ? 'brands' : 'set', prefix, title: 'Test', license });
  const run = async (options?: Parameters<typeof sourceOf>[0]) =>
    tools.importSources(() => undefined, [await sourceOf(options)]);
  const entry = async (name: string): Promise<Entry | undefined> => {
    const found = await tools.store.find(slug(name));
    return found.kind === 'entry' ? found.entry : undefined;
  };

  const skips = ({ skipped }: ImportSummary): string[] => skipped.map(({ key, reason }) => `${key} ${reason}`);

  it('names skipped icons, and imports the rest', async () => {
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    put('good--dark.svg', svg('M0 0h24v24H0z', 'fill="#fff"'));
    put('evil.svg', '<!DOCTYPE svg [<!ENTITY a SYSTEM "b">]><svg/>');
    put('raster.svg', '<svg viewBox="0 0 9 9"><image href="data:image/png;base64,AA"/></svg>');
    const summary = await run();
    expect(summary).to.deep.include({ imported: 1, entries: 1, merged: 0, variants: 3 });
    expect(skips(summary)).to.have.members(['evil entities', 'raster embedded_image']);
    expect((await entry('good'))?.variants.map(({ name }) => name)).to.deep.equal(['default', 'dark', 'mono']);
  });

  describe('whose files are rejected', () => {
    const text = (name: string) => svg('M0 0h24v24H0z').replace('</svg>', `\n<text>${name}</text></svg>`);
    const etagsOf = async (name: string) =>
      (await entry(name))?.variants.map((variant) => [variant.name, variant.etag]);

    it('names the element, its line and the advice', async () => {
      put('acme.svg', text('acme'));
      const { skipped } = await run();
      expect(skipped).to.have.length(1);
      expect(skipped[0]).to.include({ source: 'folder:icons', key: 'acme', reason: 'text', element: 'text', line: 2 });
      expect(skipped[0]).to.not.have.property('kept');
      expect(skipped[0]?.message).to.match(/^The SVG contains text.*\(<text>, line 2\)\. Convert text to outlines/);
    });

    it('keeps the drawings of the earlier import, and says so', async () => {
      put('acme.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
      put('acme--wordmark.svg', svg('M0 0h24v9H0z', 'fill="#00f"'));
      put('bolt.svg', svg('M0 0h24v24H9z', 'fill="#0f0"'));
      await run();
      const [acme, bolt] = [await etagsOf('acme'), await etagsOf('bolt')];
      put('acme--wordmark.svg', text('acme'));
      put('bolt.svg', text('bolt'));
      const { skipped, entries } = await run();
      expect(skipped.map(({ key, kept }) => [key, kept])).to.have.deep.members([
        ['acme/wordmark', true],
        ['bolt', true],
      ]);
      expect(entries).to.equal(2);
      expect([await etagsOf('acme'), await etagsOf('bolt')]).to.deep.equal([acme, bolt]);
      for (const [, etag = ''] of [...(acme ?? []), ...(bolt ?? [])])
        expect(await tools.store.drawing(etag)).to.match(/^<svg/);
    });

    it('accepts .svgz and declared encodings, and keeps the earlier drawing of a file that cannot be decoded', async () => {
      const putBytes = (name: string, bytes: Buffer): void => writeFileSync(join(folder, name), bytes);
      const declared = (encoding: string) =>
        `<?xml version="1.0" encoding="${encoding}"?>\n${svg('M0 0h24v24H0z', 'fill="#f00" id="Größe"')}`;
      putBytes('acme.svg', Buffer.from(declared('iso-8859-1'), 'latin1'));
      putBytes('bolt.svgz', gzipSync(declared('utf-8')));
      putBytes('acme--wordmark.svg', Buffer.from(`\uFEFF${svg('M0 0h24v9H0z', 'fill="#00f"')}`, 'utf16le'));
      expect(await run()).to.deep.include({ entries: 2, skipped: [] });
      const [acme, bolt] = [await etagsOf('acme'), await etagsOf('bolt')];
      putBytes('acme.svg', Buffer.from(declared('klingon')));
      putBytes('bolt.svgz', gzipSync(Buffer.alloc(4_000_001, ' ')));
      const { skipped } = await run();
      expect(skipped.map(({ key, reason, line, kept }) => ({ key, reason, line, kept }))).to.have.deep.members([
        { key: 'acme/default', reason: 'bad_encoding', line: 1, kept: true },
        { key: 'bolt', reason: 'too_large', line: undefined, kept: true },
      ]);
      expect(skipped.find(({ key }) => key === 'acme/default')?.message).to.contain('"klingon"');
      expect([await etagsOf('acme'), await etagsOf('bolt')]).to.deep.equal([acme, bolt]);
    });

    it('keeps everything made from a default, beside a replaced drawing', async () => {
      put('acme.svg', svg('M0 0h24v24H0z', 'fill="#123"'));
      put('acme--wordmark.svg', svg('M0 0h24v9H0z', 'fill="#00f"'));
      await run();
      const before = new Map((await etagsOf('acme')) as [string, string][]);
      expect([...before.keys()]).to.include.members(['default', 'mono', 'wordmark']);
      put('acme.svg', text('acme'));
      put('acme--wordmark.svg', svg('M0 0h24v8H0z', 'fill="#00f"'));
      await run();
      const now = new Map((await etagsOf('acme')) as [string, string][]);
      expect([now.get('default'), now.get('mono')]).to.deep.equal([before.get('default'), before.get('mono')]);
      expect(now.get('wordmark')).to.be.a('string').and.not.equal(before.get('wordmark'));
    });

    it('removes entries that the folder no longer has', async () => {
      put('acme.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
      put('bolt.svg', svg('M0 0h24v24H9z', 'fill="#0f0"'));
      await run();
      rmSync(join(folder, 'bolt.svg'));
      expect((await run()).entries).to.equal(1);
    });
  });

  it('accepts files named like inherited properties of objects', async () => {
    const names = INHERITED_NAMES.filter((name) => !name.startsWith('_'));
    for (const [index, name] of names.entries()) {
      put(`${name}.svg`, svg(`M0 0h${9 + index}v24H0z`, 'fill="#f00"'));
      put(`good--${name}.svg`, svg(`M0 0h${9 + index}v23H0z`, 'fill="#f00"'));
    }
    put('__proto__.svg', svg('M0 0h9v9H0z'));
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    for (const options of [{}, { prefix: 'constructor' }]) {
      const summary = await run(options);
      expect(summary.skipped).to.deep.equal([]);
    }
    for (const name of [...names, 'proto']) {
      const key = name.toLowerCase();
      expect((await entry(key))?.aliases, key).to.deep.equal([]);
      expect(await entry(`constructor-${key === 'proto' ? 'proto__' : key}`), key).to.not.equal(undefined);
    }
    expect((await entry('good'))?.variants.map((variant) => variant.name)).to.include.members(
      names.map((name) => name.toLowerCase()),
    );
  });

  it('only loses the icon that causes a failure, and names it', async () => {
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    const source = await sourceOf();
    const drawings = [{ name: 'default', svg: svg('M0 0h9v9H0z') }];
    // Creates items that violate their type, like a faulty source could.
    const broken = (key: string, fault: object) =>
      ({ kind: 'icon', icon: { ...FACTS, key, title: key, drawings, ...fault } }) as unknown as SourceItem;
    async function* items() {
      yield broken('no-license', { license: null });
      yield broken('no-name', { drawings: [{ svg: '' }] });
      yield broken('no-color', { hex: 7 });
      yield broken('no-categories', { categories: [7] });
      // The keys of the catalog store are UTF-8, which cannot contain lone surrogates.
      for (const half of ['\ud800', '\udfff']) yield broken(`half-${half}`, {});
      yield broken('bell-\u0007', {});
      yield* source.items();
    }
    const summary = await tools.importSources(() => undefined, [{ ...source, items }]);
    expect(skips(summary)).to.have.members([
      ...['no-license', 'no-name', 'no-color', 'no-categories'].map((key) => `${key} failed`),
      ...['half-\ud800', 'half-\udfff', 'bell-\u0007'].map((key) => `${key} bad-name`),
    ]);
    expect(summary).to.include({ entries: 1 });
    expect(await entry('good')).to.not.equal(undefined);
  });

  describe('of a newer package', () => {
    /** Creates a release of a package. `icons`: name → color. */
    const release = (version: string, icons: Readonly<Record<string, string>>, license = 'MIT') => ({
      ...{ id: 'package:logos', package: 'logos', version, kind: 'brands' as const, prefix: null },
      size: Object.keys(icons).length,
      async *items(): AsyncIterable<SourceItem> {
        for (const [key, fill] of Object.entries(icons)) {
          const drawings = [
            { name: 'default', svg: svg(`M0 0h${10 + (key.codePointAt(0) ?? 0)}v24H0z`, `fill="${fill}"`) },
          ];
          const own = key === 'coil' ? license : 'MIT';
          yield { kind: 'icon', icon: { ...FACTS, key, title: key, drawings, license: { type: own, url: null } } };
        }
      },
    });
    const take = (one: ReturnType<typeof release>, options = {}) =>
      tools.importSources(() => undefined, [one], options);
    const FIRST = release('1.0.0', { acme: '#f00', bolt: '#0f0', coil: '#00f' });

    it('keeps dropped brands under their slugs, marks them, omits them from lists, and names them', async () => {
      expect((await take(FIRST)).changes).to.deep.include({ added: ['acme', 'bolt', 'coil'], removed: [] });
      const before = await entry('bolt');
      const second = await take(release('2.0.0', { acme: '#f01', coil: '#00f' }));
      expect(second.retired).to.deep.equal(['bolt']);
      expect(second.changes).to.deep.include({ added: [], removed: [], renamed: [] });
      expect(second.changes.changed).to.include.members(['acme', 'bolt']);
      const kept = await entry('bolt');
      expect(kept).to.deep.include({ retired: true, variants: before?.variants, revision: before?.revision });
      expect(kept?.provenance).to.deep.equal([{ package: 'logos', version: '1.0.0' }]);
      expect(await tools.store.drawing(kept?.variants[0].etag ?? '')).to.be.a('string');
      // After two more releases, the retired entry still names the last release that contained it.
      const third = await take(release('3.0.0', { acme: '#f01', coil: '#00f' }));
      expect(third.retired).to.deep.equal(['bolt']);
      expect((await entry('bolt'))?.provenance).to.deep.equal([{ package: 'logos', version: '1.0.0' }]);
      const again = await take(release('4.0.0', { acme: '#f01', bolt: '#0f0', coil: '#00f' }));
      expect(again.retired).to.deep.equal([]);
      expect((await entry('bolt'))?.retired).to.equal(undefined);
    });

    it('keeps brands that a newer bundled catalog has dropped', async () => {
      await take(FIRST);
      const session = (await tools.store.beginImport())!;
      const [source] = await session.sources();
      const candidates: Candidate[] = [];
      for await (const candidate of session.candidates(source!.id)) candidates.push(candidate);
      await session.close();
      const bundled: PreparedSources = {
        prepared: [{ ...source!, version: '2.0.0' }],
        size: 2,
        drawings: () => [],
        *candidates() {
          yield [source!.id, candidates.filter(({ key }) => key !== 'bolt')];
        },
      };
      const updated = await tools.importSources(() => undefined, [bundled]);
      expect(updated.retired).to.deep.equal(['bolt']);
      expect(await entry('bolt')).to.deep.include({ retired: true });
      expect((await tools.importSources(() => undefined, [bundled], { prune: true })).changes.removed).to.deep.equal([
        'bolt',
      ]);
    });

    it('keeps brands of a package that a newer bundled catalog lacks', async () => {
      await take(FIRST);
      const id = (await tools.store.sources())[0]!.id;
      const retire = (options = {}) => tools.importSources(() => undefined, [{ retired: id }], options);
      expect((await retire()).retired).to.deep.equal(['acme', 'bolt', 'coil']);
      expect((await entry('bolt'))?.provenance).to.deep.equal([{ package: 'logos', version: '1.0.0' }]);
      expect((await retire()).changes).to.deep.include({ changed: [], removed: [] });
      expect((await retire({ prune: true })).changes.removed).to.deep.equal(['acme', 'bolt', 'coil']);
    });

    it('removes brands with --prune, and brands under a license that is no longer allowed', async () => {
      await take(FIRST);
      const unlicensed = await take(release('2.0.0', { acme: '#f00', bolt: '#0f0', coil: '#00f' }, 'Proprietary'));
      expect(unlicensed.changes.removed).to.deep.equal(['coil']);
      expect(unlicensed.retired).to.deep.equal([]);
      const pruned = await take(release('3.0.0', { acme: '#f00' }), { prune: true });
      expect(pruned.changes.removed).to.deep.equal(['bolt']);
      expect(await entry('bolt')).to.equal(undefined);
    });

    it('publishes nothing with --dry-run', async () => {
      await take(FIRST);
      const state = await tools.store.state();
      const rehearsed = await take(release('2.0.0', { bolt: '#0f0', dart: '#ff0' }), { dryRun: true, prune: true });
      expect(rehearsed.changes).to.deep.include({ added: ['dart'], removed: ['acme', 'coil'] });
      expect(await tools.store.state()).to.deep.equal(state);
      expect(await entry('acme')).to.not.equal(undefined);
      expect(await entry('dart')).to.equal(undefined);
    });
  });

  it('names an icon of a set if no slug can be derived', async () => {
    put('home.svg', svg('M0 0h24v24H0z'));
    const summary = await run({ prefix: 'no slug' });
    expect(skips(summary)).to.deep.equal(['home bad-name']);
  });

  it('normalizes variant names, and names unusable ones', async () => {
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    put('good--a"; x=".svg', svg('M0 0h9v24H0z', 'fill="#f00"'));
    put('good--黑.svg', svg('M0 0h8v24H0z', 'fill="#f00"'));
    const source = await sourceOf();
    const drawings = [
      { name: 'default', svg: svg('M0 0h24v24H0z') },
      { name: 'x"\r\ny', svg: svg('M0 0h7v7H0z', 'fill="#00f"') },
      { name: '黑', svg: svg('M0 0h9v9H0z') },
    ];
    async function* items() {
      yield* source.items();
      yield { kind: 'icon' as const, icon: { ...FACTS, key: 'other', title: 'Other', drawings } };
    }
    const summary = await tools.importSources(() => undefined, [{ ...source, items }]);
    expect(skips(summary)).to.have.members(['good--黑.svg bad-name', 'other/黑 bad-name']);
    for (const name of ['good', 'other']) {
      const names = (await entry(name))?.variants.map((variant) => variant.name) ?? [];
      expect(names).to.include(name === 'good' ? 'a-x' : 'x-y');
      for (const variant of names) expect(variant).to.match(/^[a-z0-9][a-z0-9._-]{0,63}$/);
    }
  });

  it('rejects a license that the policy does not allow', async () => {
    put('good.svg', svg('M0 0h24v24H0z'));
    const summary = await run({ license: 'GPL-3.0-only' });
    expect(summary).to.deep.include({ imported: 0, entries: 0 });
    expect(summary.skipped[0]).to.include({ key: 'good', reason: 'license' });
  });

  it('keeps the date of unchanged entries', async () => {
    put('same.svg', svg('M0 0h24v24H0z'));
    put('other.svg', svg('M0 0h9v9H0z'));
    await run();
    const [same, other] = [await entry('same'), await entry('other')];
    put('other.svg', svg('M0 0h8v8H0z'));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await run();
    expect(await entry('same')).to.deep.include({ revision: same?.revision, updatedAt: same?.updatedAt });
    expect((await entry('other'))?.revision).to.not.equal(other?.revision);
    expect((await entry('other'))?.updatedAt).to.not.equal(other?.updatedAt);
  });

  it('updates the date of entries with any change', async () => {
    put('same.svg', svg('M0 0h24v24H0z'));
    await run();
    const before = await entry('same');
    rmSync(join(folder, 'same.svg'));
    mkdirSync(join(folder, 'Payment'));
    put('Payment/same.svg', svg('M0 0h24v24H0z'));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await run();
    expect(await entry('same')).to.deep.include({ revision: before?.revision, categories: ['payment'] });
    expect((await entry('same'))?.updatedAt).to.not.equal(before?.updatedAt);
  });

  it('gives a set its own slugs, even if two would be alike', async () => {
    put('home.svg', svg('M0 0h24v24H0z'));
    await run({ prefix: 'acme' });
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    put('acme-home.svg', svg('M0 0h9v9H0z'));
    await run();
    expect((await entry('acme-home'))?.variants[0].etag).to.not.equal((await entry('acme.home'))?.variants[0].etag);
    expect(await entry('acme.home')).to.deep.include({ title: 'Home' });
  });

  it('redirects the aliases of a set to icons that are shown, and none to a hidden one', async () => {
    const body = '<path fill="currentColor" d="M2 2h18v18z"/>';
    await importIconSets(tools.store, [
      {
        ...SHAPES,
        ...{ prefix: 'acme', chars: {}, categories: {}, suffixes: {} },
        icons: { home: { body }, fort: { body: body.replace('18v', '9v'), hidden: true } },
        aliases: { house: { parent: 'home' }, castle: { parent: 'fort' } },
      },
    ]);
    expect(await tools.store.redirects()).to.deep.equal([['acme-house', 'acme-home']]);
    expect(await entry('acme-home')).to.not.equal(undefined);
    expect(await entry('acme-fort')).to.equal(undefined);
  });

  it('does not run concurrently with another', async () => {
    put('good.svg', svg('M0 0h24v24H0z'));
    const outcomes = await Promise.allSettled([run(), run()]);
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    expect(outcomes.find((outcome) => outcome.status === 'rejected')).to.have.nested.property(
      'reason.code',
      'unavailable',
    );
  });
});
