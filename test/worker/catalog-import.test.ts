// Whole imports: the real default catalog, and small ones whose summary, dates and failures are known.
import { readBrandFacts } from '../../config/brand-domains.js';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { createEmbeddedCatalogStore } from '../../src/adapters/embedded/catalog/catalog-store.js';
import { openCatalogTools, type CatalogTools } from '../../src/compose/catalog-tools.js';
import { openSvgFolder } from '../../src/compose/icon-sources.js';
import type { Entry, Slug } from '../../src/domain/catalog/entry.js';
import type { SourceItem } from '../../src/ports/catalog-sources.js';
import { importedCatalog } from '../support/catalog.js';
import { INHERITED_NAMES } from '../support/inherited-names.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const slug = (text: string): Slug => text as Slug;
const svg = (path: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}" ${attributes}/></svg>`;

describe('the default catalog', function () {
  this.timeout(120_000);
  const entries = new Map<string, Entry>();
  let db: ReturnType<typeof openDatabase>;

  before(async () => {
    db = openDatabase(await importedCatalog());
    for await (const entry of createEmbeddedCatalogStore(db).entries()) entries.set(entry.slug, entry);
  });
  after(() => db.close());

  it('is large, and each entry is whole', () => {
    expect(entries.size).to.be.greaterThan(6000);
    for (const {
      slug: name,
      variants,
      license,
      categories,
      hex,
      revision,
      updatedAt,
      provenance,
    } of entries.values()) {
      expect(variants[0].name, name).to.equal('default');
      expect(new Set(variants.map((variant) => variant.name)).size, name).to.equal(variants.length);
      expect(license.redistributable, name).to.equal(true);
      expect(categories, name).to.deep.equal([...new Set(categories)].sort());
      for (const category of categories)
        expect(category, name).to.match(/^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u);
      expect(hex ?? '#000000', name).to.match(/^#[0-9A-F]{6}$/);
      expect(revision, name).to.match(/^[0-9a-f]{12}$/);
      expect(updatedAt, name).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(provenance.length, name).to.be.at.least(1);
    }
  });

  it('holds nothing but safe drawings, and every one that an entry names', () => {
    const texts = new Map(
      (db.prepare('SELECT etag, svg FROM catalog_asset').all() as { etag: string; svg: string }[]).map((row) => [
        row.etag,
        row.svg,
      ]),
    );
    const named = [...entries.values()].flatMap(({ variants }) => variants.flatMap(({ painted }) => painted ?? []));
    expect(named.length).to.be.at.least(30);
    for (const etag of named) expect(texts.get(etag), etag).to.match(/<image |<filter/);
    for (const [etag, text] of texts) {
      if (!text.includes('<image ')) continue;
      expect(text, etag).to.match(
        /^<svg (?:overflow="hidden" )?viewBox="[-\d. ]+" xmlns="http:\/\/www\.w3\.org\/2000\/svg">.* href="data:image\/png;base64,.*<\/svg>$/,
      );
      expect(text.replace('http://www.w3.org', ''), etag).to.not.match(
        /<(?:script|style|foreignObject|text|a|animate|set)\b|\son\w+=|https?:|javascript:|data:(?!image\/png;base64,)|<[!?]|class=|style=/,
      );
      texts.delete(etag);
    }
    for (const text of texts.values()) {
      expect(text).to.match(
        /^<svg (?:overflow="hidden" )?viewBox="[-\d. ]+" xmlns="http:\/\/www\.w3\.org\/2000\/svg">.*<\/svg>$/,
      );
      expect(text.replace('http://www.w3.org', '')).to.not.match(
        /<(?:script|style|foreignObject|image|text|a|animate|set)\b|\son\w+=|https?:|javascript:|data:|<[!?]|class=|style=/,
      );
    }
    for (const { slug: name, variants } of entries.values()) {
      for (const { etag, recolorable, colors, name: variant } of variants) {
        const text = texts.get(etag);
        expect(text, `${name}/${variant}`).to.be.a('string');
        expect(text?.includes('currentColor'), `${name}/${variant}`).to.equal(recolorable);
        if (recolorable) expect(colors, `${name}/${variant}`).to.have.length(1);
      }
    }
  });

  it('has ids that clash with no other drawing', () => {
    const owners = new Map<string, string>();
    for (const { svg: text } of db.prepare('SELECT svg FROM catalog_asset').all() as { svg: string }[]) {
      for (const [, id = ''] of text.matchAll(/\sid="([^"]+)"/g)) {
        // One drawing may be stored in two colors, and its painted form is for no page.
        if (text.includes('<image ')) continue;
        expect(owners.get(id) ?? text, id).to.equal(text);
        owners.set(id, text);
      }
    }
    expect(owners.size).to.be.greaterThan(1000);
  });

  it('has the marks that people mean', async () => {
    const colors = (name: string) => entries.get(name)?.variants[0].colors;
    expect(colors('google')).to.have.length.at.least(4);
    expect(entries.get('github')).to.deep.include({ title: 'GitHub', hex: '#181717', domain: 'github.com' });
    expect(entries.get('spotify')?.variants[0]).to.deep.include({ recolorable: true, colors: ['#1ed760'] });
    expect(entries.get('spotify')?.variants.find(({ name }) => name === 'mono')).to.deep.include({
      colors: ['#000000'],
      recolorable: true,
    });
    for (const name of [
      'google',
      'github',
      'microsoft',
      'aws',
      'gmail',
      'nodejs',
      'kubernetes',
      'visual-studio-code',
      'docker',
      'slack',
      'figma',
      'paypal',
    ]) {
      const [main] = entries.get(name)?.variants ?? [];
      expect((main?.width ?? 9) / (main?.height ?? 1), name).to.be.within(0.5, 2);
    }
    const store = createEmbeddedCatalogStore(db);
    for (const [from, to] of [
      ['k8s', 'kubernetes'],
      ['vscode', 'visual-studio-code'],
      ['nodedotjs', 'nodejs'],
      ['github-icon', 'github'],
      ['amazon-web-services', 'aws'],
      ['postgres', 'postgresql'],
      ['chrome', 'google-chrome'],
    ] as const) {
      expect(await store.find(slug(from)), from).to.deep.equal({ kind: 'moved', to });
    }
  });

  it('gives no brand the domain of a host of projects, unless the operator says so', () => {
    const { hosts } = readBrandFacts();
    const owners = new Map<string, string[]>();
    for (const { slug: name, domains } of entries.values())
      for (const domain of domains) owners.set(domain, [...(owners.get(domain) ?? []), name]);
    for (const host of [
      'github.com',
      'azure.microsoft.com',
      'commons.wikimedia.org',
      'en.wikipedia.org',
      'www.figma.com',
    ]) {
      const strangers = (owners.get(host) ?? []).filter(
        (name) => name !== host.split('.')[0] && hosts[name]?.includes(host) !== true,
      );
      expect(strangers, host).to.deep.equal([]);
    }
  });
});

describe('an import', function () {
  this.timeout(30_000);
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
  const run = async (options: { prefix?: string; license?: string } = {}) => {
    const { prefix = null, license = 'MIT' } = options;
    const source = await openSvgFolder({
      folder,
      kind: prefix === null ? 'brands' : 'set',
      prefix,
      title: 'Test',
      license,
    });
    return tools.importSources(() => undefined, [source]);
  };
  const entry = async (name: string): Promise<Entry | undefined> => {
    const found = await tools.store.find(slug(name));
    return found.kind === 'entry' ? found.entry : undefined;
  };

  it('names what it skipped, and takes the rest', async () => {
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    put('good--dark.svg', svg('M0 0h24v24H0z', 'fill="#fff"'));
    put('evil.svg', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>');
    put('raster.svg', '<svg viewBox="0 0 9 9"><image href="data:image/png;base64,AA"/></svg>');
    const summary = await run();
    expect(summary).to.deep.include({ imported: 1, entries: 1, merged: 0, variants: 3 });
    expect(summary.skipped.map(({ key, reason }) => `${key} ${reason}`)).to.have.members([
      'evil entities',
      'raster embedded-image',
    ]);
    expect((await entry('good'))?.variants.map(({ name }) => name)).to.deep.equal(['default', 'dark', 'mono']);
  });

  it('takes files that are called as what every object inherits', async () => {
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

  it('loses only the icon that makes something fail, and names it', async () => {
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    const source = await openSvgFolder({ folder, kind: 'brands', prefix: null, title: 'Test', license: 'MIT' });
    const facts = {
      aliases: [],
      categories: [],
      hex: null,
      website: null,
      origin: null,
      guidelines: null,
      license: { type: 'MIT', url: null },
      titleGuessed: false,
    };
    const drawings = [{ name: 'default', svg: svg('M0 0h9v9H0z') }];
    // As a source with a bug would give them, against its type.
    const broken = (key: string, fault: object) =>
      ({ kind: 'icon', icon: { ...facts, key, title: key, drawings, ...fault } }) as unknown as SourceItem;
    async function* items() {
      yield broken('no-license', { license: null });
      yield broken('no-name', { drawings: [{ svg: '' }] });
      yield broken('no-color', { hex: 7 });
      yield broken('no-categories', { categories: [7] });
      // One in UTF-8, in which the store keeps keys.
      for (const half of ['\ud800', '\udfff']) yield broken(`half-${half}`, {});
      yield broken('bell-\u0007', {});
      yield* source.items();
    }
    const summary = await tools.importSources(() => undefined, [{ ...source, items }]);
    expect(summary.skipped.map(({ key, reason }) => `${key} ${reason}`)).to.have.members([
      'no-license failed',
      'no-name failed',
      'no-color failed',
      'no-categories failed',
      'half-\ud800 bad-name',
      'half-\udfff bad-name',
      'bell-\u0007 bad-name',
    ]);
    expect(summary).to.include({ entries: 1 });
    expect(await entry('good')).to.not.equal(undefined);
  });

  it('names an icon of a set of which no slug can be made', async () => {
    put('home.svg', svg('M0 0h24v24H0z'));
    const summary = await run({ prefix: 'no slug' });
    expect(summary.skipped.map(({ key, reason }) => `${key} ${reason}`)).to.deep.equal(['home bad-name']);
  });

  it('takes no variant name as it comes, and names what it cannot use', async () => {
    put('good.svg', svg('M0 0h24v24H0z', 'fill="#f00"'));
    put('good--a"; x=".svg', svg('M0 0h9v24H0z', 'fill="#f00"'));
    put('good--黑.svg', svg('M0 0h8v24H0z', 'fill="#f00"'));
    const source = await openSvgFolder({ folder, kind: 'brands', prefix: null, title: 'Test', license: 'MIT' });
    const facts = {
      aliases: [],
      categories: [],
      hex: null,
      website: null,
      origin: null,
      guidelines: null,
      license: { type: 'MIT', url: null },
    };
    const drawings = [
      { name: 'default', svg: svg('M0 0h24v24H0z') },
      { name: 'x"\r\ny', svg: svg('M0 0h7v7H0z', 'fill="#00f"') },
      { name: '黑', svg: svg('M0 0h9v9H0z') },
    ];
    async function* items() {
      yield* source.items();
      yield { kind: 'icon' as const, icon: { ...facts, key: 'other', title: 'Other', titleGuessed: false, drawings } };
    }
    const summary = await tools.importSources(() => undefined, [{ ...source, items }]);
    expect(summary.skipped.map(({ key, reason }) => `${key} ${reason}`)).to.have.members([
      'good--黑.svg bad-name',
      'other/黑 bad-name',
    ]);
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

  it('keeps the date of what did not change', async () => {
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

  it('moves the date of what changed in anything', async () => {
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

  it('gives a set its own slugs, also where two would be alike', async () => {
    put('home.svg', svg('M0 0h24v24H0z'));
    await run({ prefix: 'acme' });
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    put('acme-home.svg', svg('M0 0h9v9H0z'));
    await run();
    expect((await entry('acme-home'))?.variants[0].etag).to.not.equal((await entry('acme.home'))?.variants[0].etag);
    expect(await entry('acme.home')).to.deep.include({ title: 'Home' });
  });

  it('does not run beside another', async () => {
    put('good.svg', svg('M0 0h24v24H0z'));
    const outcomes = await Promise.allSettled([run(), run()]);
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    expect(outcomes.find((outcome) => outcome.status === 'rejected')).to.have.nested.property(
      'reason.code',
      'unavailable',
    );
  });
});
