// Brands in the imported catalog with a known default drawing, color, margin, name or domain.
import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import { isAchromatic } from '../../../src/catalog/drawing.js';
import type { Entry, Slug } from '../../../src/catalog/entry.js';
import { composeSvg } from '../../../src/pictures/compose-svg.js';
import { pictureSpec } from '../../../src/pictures/picture-spec.js';
import { pictureRequest, type PictureQuery } from '../../../src/pictures/picture-request.js';
import type { CatalogStore } from '../../../src/catalog/catalog-store.js';
import { publicCatalog } from '../../../src/catalog/account-catalogs.js';
import { createBrands } from '../../../src/brands/brands.js';
import type { CatalogIndex } from '../../../src/search/indexes.js';
import { createSearch } from '../../../src/search/search.js';
import { visibilityOn } from '../../../workers/thumbnail/visibility.js';
import { openImportedCatalog } from '../../support/imported-catalog.js';
import { createTurns } from '../../../src/platform/concurrency/time-slices.js';
import { someClient } from '../../support/pictures.js';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Brands whose default drawing has several colors, including one that is not gray. */
const FULL_COLOR = words('zoho argo vuetify chrome-web-store passport sap streamlit namecheap cloudflare duckdb');

/** Brands whose default drawing contains the brand's color, possibly as its only color. */
const COLORED = words('yandex norton western-union razer kick opel robinhood mailchimp hulu vault');

/**
 * Brands whose pictures with the parameter `on` are completely visible on light and dark backgrounds. Lettering in the
 * pictures is visible too.
 */
const VISIBLE = words('fedex disney-plus samsung openssl nba booking-com mastercard jenkins');

/** Brands for which a package also has a wrong drawing, each with the first color of the right drawing. */
const RIGHT_DRAWINGS: readonly (readonly [slug: string, color: string])[] = [
  ['kraken', '#5741d9'],
  ['open-webui', '#000000'],
  ['dhl', '#d40511'],
];

/** Brands whose only drawing in the packages is wrong. They must have no drawing. */
const WITHOUT_DRAWING = words('harvard-university bnp-paribas princeton-university pepsi');

const WITH_MONO = words('slack microsoft java php salesforce');

/** Brands with margins around the drawing. `trim=1` must remove the margins. */
const WITH_MARGINS = words('hack-the-box calendly workday');

/** Alternative names, each with the slug of the entry that a search must find. */
const OTHER_NAMES: readonly (readonly [name: string, slug: string])[] = [
  ['claude-ai', 'claude'],
  ['rails', 'ruby-on-rails'],
  ['x-formerly-twitter', 'x'],
  ['wordpress-icon-alt', 'wordpress'],
  ['gemini', 'google-gemini'],
  ['k8s', 'kubernetes'],
  ['vscode', 'visual-studio-code'],
  ['nodedotjs', 'nodejs'],
  ['github-icon', 'github'],
  ['amazon-web-services', 'aws'],
  ['postgres', 'postgresql'],
  ['chrome', 'google-chrome'],
];

/** Pairs of different brands that an import could merge by mistake. Each brand must keep its own drawing. */
const APART: readonly (readonly [one: string, other: string])[] = [
  ['google-gemini', 'gemini-exchange'],
  ['spring', 'spring-creators'],
  ['flux', 'flux-black-forest-labs'],
  ['pepsico', 'nintendo-switch-2'],
];

/** Queries, each with its expected first result. */
const SEARCHED: readonly (readonly [query: string, slug: string])[] = [
  ['ms', 'microsoft'],
  ['gcp', 'google-cloud'],
  ['wa', 'whatsapp'],
  ['gpt', 'openai'],
  ['k8s', 'kubernetes'],
  ['яндекс', 'yandex'],
  ['微信', 'wechat'],
  ['支付宝', 'alipay'],
  ['구글', 'google'],
  ['docker swarm', 'docker'],
];

describe('named brands in the imported catalog', () => {
  let catalog: Awaited<ReturnType<typeof openImportedCatalog>>;
  let store: CatalogStore;
  let index: CatalogIndex;

  before(async () => {
    catalog = await openImportedCatalog();
    ({ store, index } = catalog);
  });

  after(() => catalog.close());

  async function entryOf(slug: string): Promise<Entry> {
    const found = await store.find(slug as Slug);
    if (found.kind !== 'entry') return expect.fail(`${slug}: ${found.kind}`);
    return found.entry;
  }

  async function draw(slug: string, query: PictureQuery) {
    const { variant, picture } = pictureSpec(await entryOf(slug), pictureRequest('png', query));
    const drawing = await store.drawing(variant.etag);
    if (drawing === undefined) return expect.fail(`${slug}: its drawing is missing`);
    const { pixels, width, height } = new Resvg(composeSvg(drawing, picture), {
      font: { loadSystemFonts: false },
    }).render();
    return { pixels, width, height };
  }

  for (const slug of FULL_COLOR)
    it(`${slug} is in full color`, async () => {
      const [main] = (await entryOf(slug)).variants;
      expect(main.colors).to.have.length.greaterThan(1);
      expect(main.colors.some((hex) => !isAchromatic(hex))).to.equal(true);
    });

  for (const slug of COLORED)
    it(`${slug} is in its color`, async () => {
      const { hex, variants } = await entryOf(slug);
      expect(hex).to.satisfy((color: string | null) => color !== null && !isAchromatic(color));
      expect(variants[0].colors.some((color) => !isAchromatic(color))).to.equal(true);
    });

  for (const slug of VISIBLE)
    for (const on of ['light', 'dark'] as const)
      it(`${slug} is completely visible on a ${on} page`, async () => {
        const { visible } = visibilityOn(await draw(slug, { size: 96, on }), on);
        expect(visible).to.equal(true);
      });

  for (const [slug, color] of RIGHT_DRAWINGS)
    it(`${slug} has its own drawing`, async () => {
      expect((await entryOf(slug)).variants[0].colors[0]).to.equal(color);
    });

  for (const slug of WITHOUT_DRAWING)
    it(`${slug} has no entry with the drawing of something else`, async () => {
      expect((await store.find(slug as Slug)).kind).to.not.equal('entry');
    });

  for (const slug of WITH_MONO)
    it(`${slug} has a drawing in one color`, async () => {
      const mono = (await entryOf(slug)).variants.find(({ name }) => name === 'mono');
      expect(mono?.recolorable).to.equal(true);
    });

  for (const slug of WITH_MARGINS)
    it(`trim cuts the margins of ${slug}`, async () => {
      const whole = await draw(slug, { height: 240 });
      const cut = await draw(slug, { height: 240, trim: 1 });
      expect(cut.width / cut.height).to.not.be.closeTo(whole.width / whole.height, 0.01);
    });

  it('visa at a fixed height is as wide as its letters', async () => {
    const { width, height } = await draw('visa', { height: 60 });
    expect(height).to.equal(60);
    expect(width).to.be.greaterThan(150);
  });

  for (const [name, slug] of OTHER_NAMES)
    it(`${name} is another name of ${slug}`, async () => {
      expect(await store.find(name as Slug)).to.deep.equal({ kind: 'moved', to: slug });
    });

  for (const [one, other] of APART)
    it(`${one} and ${other} are two brands`, async () => {
      const [left, right] = [await entryOf(one), await entryOf(other)];
      expect(left.variants[0].etag).to.not.equal(right.variants[0].etag);
    });

  for (const [q, slug] of SEARCHED)
    it(`"${q}" finds ${slug} first`, async () => {
      const outcome = await createSearch({ index, turns: createTurns(), cacheBytes: 2 ** 24 }).search(
        { q, limit: 1 },
        '',
      );
      const [first] = outcome.kind === 'page' ? outcome.page.results : [];
      expect(first).to.include({ slug });
      if (q === 'docker swarm') expect(first?.match).to.include({ partial: true });
    });

  it('finds a host that only its domains contain', async () => {
    const outcome = await createBrands({ index, turns: createTurns() }).lookup(
      { domain: 'replit.com' },
      publicCatalog({ ...store, peek: () => undefined, drawing: async () => '' }),
      someClient(),
    );
    expect(outcome.kind === 'found' && outcome.entry.slug).to.equal('replit');
  });
});
