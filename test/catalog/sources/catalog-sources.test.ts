// Readers of icon packages, Iconify JSON and folders, including invalid input.
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openCardog } from '../../../src/catalog/sources/cardog.js';
import { openIconifyPackage, openIconifySets } from '../../../src/catalog/sources/iconify.js';
import { openLobehub } from '../../../src/catalog/sources/lobehub.js';
import { openSimpleIcons } from '../../../src/catalog/sources/simple-icons.js';
import { openSanitizer } from '../../../src/catalog/sanitizer.worker.js';
import { openSvgFolder } from '../../../src/catalog/sources/svg-folder.js';
import { openThesvg, readModule } from '../../../src/catalog/sources/thesvg.js';
import type { SourceKind } from '../../../src/catalog/import/candidate.js';
import type { SourceIcon, SourceItem } from '../../../src/catalog/import/catalog-sources.js';
import { sanitizeSvg } from '../../../workers/sanitize/sanitize-svg.js';
import { all } from '../../support/catalog-imports.js';
import { temporaryDir } from '../../support/temporary.js';

const icons = (items: readonly SourceItem[]): SourceIcon[] =>
  items.flatMap((item) => (item.kind === 'icon' ? [item.icon] : []));
const skipped = (items: readonly SourceItem[]) => items.flatMap((item) => (item.kind === 'skipped' ? [item] : []));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24z"/></svg>';

describe('@lobehub/icons-static-svg', () => {
  it("provides a brand's files as variants, with its own title", async () => {
    const found = new Map(icons(await all((await openLobehub()).items())).map((icon) => [icon.key, icon]));
    expect(found.size).to.be.greaterThan(300);
    const names = (key: string) => found.get(key)?.drawings.map(({ name }) => name);
    expect(names('claude')).to.have.members(['color', 'mono', 'wordmark']);
    expect(names('openai'), 'no color, so that its only symbol is the default').to.have.members([
      'default',
      'wordmark',
    ]);
    expect(found.get('deepseek')?.title).to.equal('DeepSeek');
    expect(found.get('microsoft')?.title, 'its file bears the title of another brand').to.equal('Microsoft');
    expect([...found.keys()].filter((key) => /-(?:text|brand|color)/.test(key))).to.deep.equal([]);
  });
});

describe('@cardog-icons/core', () => {
  it("provides a carmaker's symbol and wordmark under the common name", async () => {
    const found = new Map(icons(await all((await openCardog()).items())).map((icon) => [icon.key, icon]));
    expect(found.size).to.be.greaterThan(50);
    expect(found.get('mercedes-benz')?.title).to.equal('Mercedes-Benz');
    expect(found.get('land-rover')?.drawings.map(({ name }) => name)).to.have.members(['default', 'wordmark']);
    expect([...found.keys()].filter((key) => /\s|^mb$|dark|logo/.test(key))).to.deep.equal([]);
  });
});

describe('an installed Iconify package', () => {
  it('omits icons that its options exclude', async () => {
    const source = await openIconifyPackage('@iconify-json/devicon', { kind: 'brands', leaveOut: /-wordmark$/ });
    const keys = icons(await all(source.items())).map(({ key }) => key);
    expect(keys).to.include('react');
    expect(keys.filter((key) => key.endsWith('-wordmark'))).to.deep.equal([]);
  });
});

describe('@thesvg/icons', () => {
  let items: SourceItem[];
  before(async () => {
    items = await all((await openThesvg()).items());
  });

  it('is read completely, except for the module with a syntax error, which is named', () => {
    expect(skipped(items)).to.have.length(1);
    expect(skipped(items)[0]).to.include({ key: 'svg.js', reason: 'syntax-error' });
    expect(icons(items).length).to.be.greaterThan(7000);
  });

  it('has drawings without a viewBox, with <style> and with a DOCTYPE, which become clean', async () => {
    const drawings = icons(items).flatMap(({ drawings: own }) => own.map(({ svg }) => svg));
    for (const [what, pattern, least] of [
      ['no viewBox', /^(?![\s\S]*viewBox)/, 229],
      ['style', /<style/, 300],
      ['DOCTYPE', /<!DOCTYPE/, 20],
    ] as const) {
      const found = drawings.filter((svg) => pattern.test(svg));
      expect(found.length, what).to.be.at.least(least);
      // Sanitizes only every fifth drawing to save time. The import of the whole catalog, in another test, sanitizes
      // all drawings.
      const some = found.filter((_, index) => index % 5 === 0);
      const sanitizer = openSanitizer();
      const clean = (await sanitizer.sanitize(some)).filter((outcome) => outcome.ok);
      await sanitizer.close();
      expect(clean.length / some.length, what).to.be.greaterThan(0.95);
      for (const { svg } of clean)
        expect(svg)
          .to.match(/^<svg (?:overflow="hidden" )?viewBox="[-\d. ]+" xmlns="http:\/\/www\.w3\.org\/2000\/svg">/)
          .and.not.match(/<style|<!DOCTYPE|class=/);
    }
  });

  it('is parsed, never run', () => {
    const module = readModule(
      'x.js',
      'export const slug = "x"; export const title = "X"; export const variants = { default: globalThis.ran = "yes" };',
    );
    expect(module).to.include({ kind: 'skipped', reason: 'no-icon' });
    expect(globalThis).to.not.have.property('ran');
  });
});

describe('simple-icons', () => {
  it('provides titles, colors, licenses and every kind of alias', async () => {
    const source = await openSimpleIcons();
    const found = new Map(icons(await all(source.items())).map((icon) => [icon.key, icon]));
    expect(found.size).to.be.greaterThan(3000);
    expect(source.version).to.match(/^\d+\.\d+\.\d+$/);
    expect(found.get('cbc')?.aliases).to.include.members([
      'Canadian Broadcasting Company',
      'Société Radio-Canada',
      'Radio Canada',
    ]);
    expect(found.get('dotnet')).to.deep.include({
      title: '.NET',
      hex: '512BD4',
      license: { type: 'CC0-1.0', url: null },
    });
    expect(found.get('github')?.license.type).to.equal('CC0-1.0');
    expect(found.get('vuedotjs')?.license.type).to.equal('CC-BY-NC-SA-4.0');
  });
});

describe('Iconify JSON', () => {
  const { path, remove } = temporaryDir();
  after(remove);
  const arrow = '<path d="M2 1h4v2H2z" fill="currentColor"/>';
  const set = {
    prefix: 'test',
    info: {
      name: 'Test',
      version: '3.1.0',
      license: { title: 'MIT', spdx: 'MIT', url: 'https://example.com/license' },
    },
    width: 8,
    height: 4,
    icons: {
      arrow: { body: arrow },
      square: { body: arrow, width: 4, left: 2, top: 1 },
      old: { body: arrow, hidden: true },
      broken: { width: 3 },
    },
    aliases: {
      pfeil: { parent: 'arrow' },
      fleche: { parent: 'pfeil' },
      freccia: { parent: 'fleche' },
      ring: { parent: 'gnir' },
      gnir: { parent: 'ring' },
      down: { parent: 'arrow', rotate: 1 },
      left: { parent: 'arrow', hFlip: true },
      twice: { parent: 'down', rotate: 1, vFlip: true },
      orphan: { parent: 'nobody', rotate: 1 },
      loop: { parent: 'loop', rotate: 1 },
    },
    categories: { Arrows: ['arrow', 'down'] },
  };
  const read = async (file: string, kind: SourceKind = 'set') => {
    const [source] = await all(await openIconifySets(file, { kind }));
    if (source === undefined || 'unreadable' in source) throw new Error('unreadable');
    return { source, items: await all(source.items()) };
  };
  /** Returns the size of the sanitized drawing, or the reason why it was rejected. */
  const drawn = (icon: SourceIcon | undefined): string => {
    const outcome = sanitizeSvg(icon?.drawings[0]?.svg ?? '');
    if (!outcome.ok) return outcome.reason;
    return `${outcome.width}x${outcome.height}`;
  };

  it('has prefix and names as a source of brands, but no icon that it has withdrawn', async () => {
    const file = join(path, 'brands.json');
    writeFileSync(file, JSON.stringify(set));
    const { source, items } = await read(file, 'brands');
    expect(skipped(items).find(({ key }) => key === 'old')).to.include({ reason: 'hidden' });
    expect(icons(items).map(({ key }) => key)).to.not.include('old');
    for (const { key, setIcon } of icons(items)) expect(setIcon).to.include({ prefix: set.prefix, name: key });
    expect(source.prefix).to.equal(null);
    expect(source.iconSet).to.include({ prefix: set.prefix });
  });

  it('is read with its defaults, aliases, rotations and flips', async () => {
    const file = join(path, 'test.json');
    writeFileSync(file, JSON.stringify(set));
    const { source, items } = await read(file);
    const found = new Map(icons(items).map((icon) => [icon.key, icon]));
    const facts = { id: 'iconify:test', package: 'Test', version: '3.1.0', kind: 'set', prefix: 'test' };
    expect(source).to.deep.include(facts);
    expect([...found.keys()]).to.have.members(['arrow', 'square', 'old', 'down', 'left', 'twice']);
    expect([...found.values()].filter(({ hidden }) => hidden).map(({ key }) => key)).to.deep.equal(['old']);
    expect(found.get('arrow')).to.deep.include({
      title: 'Arrow',
      aliases: ['pfeil', 'fleche', 'freccia'],
      categories: ['Arrows'],
      license: { type: 'MIT', url: 'https://example.com/license' },
    });
    const sizes = ['arrow', 'square', 'down', 'left', 'twice'].map((key) => drawn(found.get(key)));
    expect(sizes.join(' ')).to.equal('8x4 4x4 4x8 8x4 8x4');
    expect(found.get('left')?.drawings[0]?.svg)
      .to.include('viewBox="0 0 8 4"')
      .and.include('translate(8 0)scale(-1 1)');
    expect(found.get('twice')?.drawings[0]?.svg).to.include('rotate(180 4 2)translate(0 4)scale(1 -1)');
    expect(skipped(items).map(({ key }) => key)).to.have.members(['broken', 'orphan', 'loop', 'ring', 'gnir']);
    expect(new Set(skipped(items).map(({ reason }) => reason))).to.deep.equal(new Set(['unreadable']));
  });

  it('reports unreadable files in a folder, and reads the others', async () => {
    const folder = join(path, 'sets');
    mkdirSync(join(folder, 'json'), { recursive: true });
    writeFileSync(join(folder, 'json', 'a.json'), JSON.stringify({ ...set, prefix: 'a' }));
    writeFileSync(join(folder, 'json', 'b.json'), '{"prefix": 1');
    writeFileSync(join(folder, 'json', 'c.json'), '{"name": "no set"}');
    const offered = await all(await openIconifySets(folder, { kind: 'set' }));
    expect(offered.map((one) => ('unreadable' in one ? 'unreadable' : one.id))).to.deep.equal([
      'iconify:a',
      'unreadable',
      'unreadable',
    ]);
  });

  it('reports a single file that is not one', async () => {
    const file = join(path, 'none.json');
    writeFileSync(file, '{"icons": []}');
    expect(await read(file).catch(String))
      .to.include('none.json')
      .and.include('not an Iconify set');
  });
});

describe('a folder of SVG files', () => {
  const { path, remove } = temporaryDir();
  after(remove);
  const readFolder = async (folder: string): Promise<SourceItem[]> =>
    all((await openSvgFolder({ folder, kind: 'brands', prefix: null, title: null, license: 'MIT' })).items());

  it('has variants by name, categories by subfolder, and no file that is too large', async () => {
    mkdirSync(join(path, 'Payment', 'Cards'), { recursive: true });
    writeFileSync(join(path, 'Payment', 'Cards', 'Acme Pay.svg'), SVG);
    writeFileSync(join(path, 'Payment', 'Cards', 'Acme Pay--dark.SVG'), SVG);
    writeFileSync(join(path, 'utf16.svg'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SVG, 'utf16le')]));
    writeFileSync(join(path, 'readme.txt'), 'not a picture');
    writeFileSync(join(path, 'huge.svg'), '');
    // Sparse files, which need no disk space. If the reader did not check their size first, reading them would fail.
    truncateSync(join(path, 'huge.svg'), 5_000_000_000);
    const items = await readFolder(path);
    rmSync(join(path, 'huge.svg'));
    expect(skipped(items)).to.have.length(1);
    expect(skipped(items)[0]).to.include({ key: 'huge.svg', reason: 'too-large' });
    const found = new Map(icons(items).map((icon) => [icon.key, icon]));
    expect([...found.keys()]).to.have.members(['acme-pay', 'utf16']);
    expect(found.get('acme-pay')).to.deep.include({ title: 'Acme Pay', categories: ['Payment', 'Cards'] });
    expect(found.get('acme-pay')?.drawings.map(({ name }) => name)).to.have.members(['default', 'dark']);
    expect(found.get('utf16')?.drawings[0]?.svg).to.equal(SVG);
  });

  it('names every file that finds no place', async () => {
    const folder = join(path, 'names');
    for (const name of ['a', 'b']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['日本', '中国', 'a/home', 'b/home', 'x--a--b', 'x--a', 'y--黑'])
      writeFileSync(join(folder, `${name}.svg`), SVG);
    const items = await readFolder(folder);
    expect(skipped(items).map(({ key, reason }) => `${key} ${reason}`)).to.have.members([
      '日本.svg bad-name',
      '中国.svg bad-name',
      'y--黑.svg bad-name',
      `${join('b', 'home.svg')} duplicate`,
    ]);
    expect(icons(items).map(({ key, drawings }) => [key, drawings.map(({ name }) => name)])).to.deep.equal([
      ['home', ['default']],
      ['x', ['a--b', 'a']],
    ]);
  });
});
