// The whole default catalog.
import { readBrandFacts } from '../../config/brand-domains.js';
import { expect } from 'chai';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { embeddedCatalog } from '../../src/catalog/stores.embedded.js';
import type { Entry } from '../../src/catalog/entry.js';
import type { CatalogRow } from '../../src/catalog/catalog-rows.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import { importedCatalog } from '../support/catalog.js';

const WHOLE = /^<svg (?:overflow="hidden" )?viewBox="[-\d. ]+" xmlns="http:\/\/www\.w3\.org\/2000\/svg">.*<\/svg>$/;
const FORBIDDEN =
  /<(?:script|style|foreignObject|image|text|a|animate|set)\b|\son\w+=|https?:|javascript:|data:|<[!?]|class=|style=/;
/** The only inline styles that a drawing may contain. SVG has no attributes for these properties. */
const BLENDING = / style="(?:(?:mix-blend-mode:[a-z-]+|isolation:isolate);?)+"/g;
/** Bitmap that replaces a blurred shape in a copy of a drawing. */
const PICTURE = /<image [^>]*href="data:image\/png;base64,[\w+/=]+"[^>]*\/>/g;

describe('the default catalog', () => {
  const entries = new Map<string, Entry>();
  /** ETags of sanitized drawings. Drawings with bitmaps and the icon bodies of Iconify sets are not included. */
  const drawings = new Set<string>();
  let db: ReturnType<typeof openDatabase>;
  let store: CatalogStore;
  /** Etag → stored text. */
  let assets: ReadonlyMap<string, string>;

  before(async () => {
    const dataDir = await importedCatalog();
    db = openDatabase(dataDir);
    store = embeddedCatalog(db, Date.now);
    const rows = db.prepare("SELECT id, text FROM catalogRows WHERE id GLOB 'drawing/*'").all() as CatalogRow[];
    assets = new Map(rows.map(({ id, text }) => [id.slice('drawing/'.length), text]));
    for await (const entry of store.entries()) {
      entries.set(entry.slug, entry);
      for (const { etag } of entry.variants) drawings.add(etag);
    }
  });
  after(() => db.close());

  it('is large, and each entry is complete', () => {
    expect(entries.size).to.be.greaterThan(6000);
    for (const [name, { variants, license, categories, hex, revision, updatedAt, provenance }] of entries) {
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

  it('contains only safe drawings, and every named one', () => {
    const painted = new Set(
      [...entries.values()].flatMap(({ variants }) => variants.flatMap((one) => one.painted ?? [])),
    );
    expect(painted.size).to.be.at.least(30);
    for (const etag of painted) expect(assets.get(etag), etag).to.include('<image ');
    for (const [etag, text] of assets) {
      if (drawings.has(etag) || painted.has(etag)) expect(text, etag).to.match(WHOLE);
      // A text that is not in `drawings` may be a copy of a drawing, with bitmaps in place of blurred shapes. These
      // bitmaps are allowed, so they are removed before the check.
      const plain = drawings.has(etag) ? text : text.replaceAll(PICTURE, '');
      expect(plain.replace('http://www.w3.org', '').replaceAll(BLENDING, ''), etag).to.not.match(FORBIDDEN);
    }
    for (const { slug: name, variants } of entries.values()) {
      for (const { etag, recolorable, colors, name: variant } of variants) {
        const text = assets.get(etag);
        expect(text, `${name}/${variant}`).to.be.a('string');
        expect(text?.includes('currentColor'), `${name}/${variant}`).to.equal(recolorable);
        if (recolorable) expect(colors, `${name}/${variant}`).to.have.length(1);
      }
    }
  });

  it('has ids that clash with no other drawing', () => {
    const owners = new Map<string, string>();
    for (const [etag, text] of assets) {
      // Skips the icon bodies of Iconify sets. An icon body has the same `id` attributes as its drawing, and the test
      // checks the drawing.
      if (!drawings.has(etag)) continue;
      for (const [, id = ''] of text.matchAll(/\sid="([^"]+)"/g)) {
        // Skips copies in which bitmaps replace blurred shapes. A copy has the same `id` attributes as the original
        // drawing, but no page shows both.
        if (text.includes('<image ')) continue;
        expect(owners.get(id) ?? text, id).to.equal(text);
        owners.set(id, text);
      }
    }
    expect(owners.size).to.be.greaterThan(1000);
  });

  it('has the expected symbols', () => {
    const colors = (name: string) => entries.get(name)?.variants[0].colors;
    expect(colors('google')).to.have.length.at.least(4);
    expect(entries.get('github')).to.deep.include({ title: 'GitHub', hex: '#181717', domain: 'github.com' });
    expect(entries.get('spotify')?.variants[0]).to.deep.include({ recolorable: true, colors: ['#1ed760'] });
    expect(entries.get('spotify')?.variants.find(({ name }) => name === 'mono')).to.deep.include({
      colors: ['#000000'],
      recolorable: true,
    });
    for (const name of 'google github microsoft aws gmail nodejs kubernetes docker slack figma paypal'.split(' ')) {
      const [main] = entries.get(name)?.variants ?? [];
      expect((main?.width ?? 9) / (main?.height ?? 1), name).to.be.within(0.5, 2);
    }
  });

  it('assigns no brand the domain of a project host, unless the operator says so', () => {
    const { hosts } = readBrandFacts();
    const owners = new Map<string, string[]>();
    for (const { slug: name, domains } of entries.values())
      for (const domain of domains) owners.set(domain, [...(owners.get(domain) ?? []), name]);
    for (const host of 'github.com azure.microsoft.com commons.wikimedia.org en.wikipedia.org www.figma.com'.split(
      ' ',
    )) {
      const strangers = (owners.get(host) ?? []).filter(
        (name) => name !== host.split('.')[0] && hosts[name]?.includes(host) !== true,
      );
      expect(strangers, host).to.deep.equal([]);
    }
  });
});
