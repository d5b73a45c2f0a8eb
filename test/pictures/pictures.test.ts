// Plans of pictures: what the ETag, the file name and the dates say before anything is drawn.
import { expect } from 'chai';
import type { AccountCatalog } from '../../src/catalog/account-catalogs.js';
import type { Slug } from '../../src/catalog/entry.js';
import { monogramOfDomain, monogramOfSlug } from '../../src/pictures/monogram.js';
import { PICTURE_QUERIES, pictureRequest, type PictureFormat } from '../../src/pictures/picture-request.js';
import { Pictures, type PlannedPicture } from '../../src/pictures/pictures.js';
import type { Rasterizer } from '../../src/pictures/rasterizer.js';
import type { SiteIcon } from '../../src/pictures/site-icons.js';
import { createCompression } from '../../src/platform/http/response/compression.js';
import { someEntry, variantNamed } from '../support/entries.js';
import { someClient } from '../support/pictures.js';

const PUBLISHED = '2026-02-01T00:00:00Z';
const WHOLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="currentColor" d="M0 0h24v24"/></svg>';

const rasterizer: Rasterizer = {
  capacity: 1,
  rasterize: async () => ({ ok: true, bytes: new Uint8Array(4), cpuMs: 1 }),
  close: async () => undefined,
};
const service = (pictureVersion = '1') =>
  new Pictures({
    ...{ rasterizer, pictureVersion, compression: createCompression(), maxQueue: 10 },
    ...{ cacheBytes: 2 ** 20, underWayBytes: 2 ** 20 },
    catalog: { state: () => ({ generation: 1, entries: 1, publishedAt: PUBLISHED }) },
  });
type Query = Readonly<Record<string, string>>;
const request = (query: Query = {}, format: PictureFormat = 'png') =>
  pictureRequest(format, PICTURE_QUERIES[format].parse(query));
const NOBODY = { own: undefined } as AccountCatalog;
const OWNER = { own: {} } as AccountCatalog;

function picture(plan: { readonly kind: string } | undefined): PlannedPicture {
  expect(plan).to.include({ kind: 'picture' });
  return plan as PlannedPicture;
}

describe('the plan of an entry', () => {
  const ENTRY = someEntry('acme', { variants: [variantNamed('default'), variantNamed('mono')] });
  const planned = (query: Query = {}, entry = ENTRY, version?: string) =>
    service(version).planEntry(entry, () => WHOLE, request(query));

  it('names the file by the slug, and by the variant unless that is the default', () => {
    expect(picture(planned()).filename).to.equal('acme.png');
    expect(picture(planned({ variant: 'default' })).filename).to.equal('acme.png');
    expect(picture(planned({ variant: 'mono' })).filename).to.equal('acme-mono.png');
  });

  it('has another ETag in a release with other bytes', () => {
    expect(picture(planned({}, ENTRY, '2')).etag).to.not.equal(picture(planned()).etag);
    expect(picture(planned({}, ENTRY, '1')).etag).to.equal(picture(planned()).etag);
  });

  it('is stale with another revision, and immutable with its own', () => {
    expect(planned({ v: 'another' })).to.deep.equal({ kind: 'stale-version' });
    expect(picture(planned({ v: ENTRY.revision }))).to.include({ immutable: true, fallback: null });
    expect(picture(planned())).to.deep.include({ immutable: false, lastModified: new Date(ENTRY.updatedAt) });
  });

  it('reads the drawing with bitmaps for PNG and WebP, and makes that gray after drawing', async () => {
    const red = (id: string) => WHOLE.replace('fill="currentColor"', `id="${id}" fill="#ff0000"`);
    const variant = variantNamed('default', { recolorable: false, etag: 'whole', painted: 'with-bitmaps' });
    const planned = (format: PictureFormat, query: Query = {}) =>
      picture(service().planEntry({ ...ENTRY, variants: [variant] }, red, request(query, format)));
    const svg = planned('svg', { greyscale: '1' }).source;
    expect('compose' in svg && (await svg.compose())).to.include('id="whole" fill="#363636"');
    for (const format of ['png', 'webp'] as const)
      for (const greyscale of ['0', '1']) {
        const { source } = planned(format, { size: '48', greyscale });
        if (!('job' in source)) return expect.fail('not rasterized');
        expect(source).to.deep.include({ drawing: 'with-bitmaps', size: { pixels: 48 ** 2, drawingPixels: 48 ** 2 } });
        const { svg: text, ...job } = await source.job();
        expect(text).to.include('id="with-bitmaps" fill="#ff0000"');
        expect(job).to.deep.equal({
          ...{ width: 48, height: 48, format, quality: null },
          ...(greyscale === '1' && { greyscale: true }),
        });
      }
  });

  it('makes a drawing without bitmaps gray before drawing, and measures it without its padding', async () => {
    const variant = variantNamed('default', { recolorable: false, width: 40, height: 20 });
    const red = () => WHOLE.replace('currentColor', '#ff0000');
    const query = { width: '100', height: '100', padding: '10', greyscale: '1' };
    const { source } = picture(service().planEntry({ ...ENTRY, variants: [variant] }, red, request(query)));
    if (!('job' in source)) return expect.fail('not rasterized');
    expect(source.size).to.deep.equal({ pixels: 10_000, drawingPixels: 80 * 40 });
    const job = await source.job();
    expect(job.svg).to.include('fill="#363636"');
    expect(job).to.include({ width: 100, height: 100 }).and.not.have.property('greyscale');
  });

  it('is private if the brand belongs to the account', () => {
    const own = picture(planned({}, { ...ENTRY, own: true }));
    expect(own).to.include({ isOwn: true });
    expect(own.source).to.include({ isPrivate: true });
    expect(picture(planned())).to.not.have.property('isOwn');
    expect(picture(planned()).source).to.include({ isPrivate: false });
  });
});

describe('the plan of a fallback', () => {
  const planned = (query: Query, catalog = NOBODY, monogram = monogramOfSlug('no-such' as Slug)) =>
    service().planMissing(catalog, monogram, request(query, 'webp'));

  it('is missing unless a picture is requested, and stale with any revision', () => {
    expect(planned({})).to.deep.equal({ kind: 'missing' });
    expect(planned({ v: '0123456789ab' })).to.deep.equal({ kind: 'missing' });
    for (const fallback of ['monogram', 'transparent'])
      expect(planned({ fallback, v: '0123456789ab' })).to.deep.equal({ kind: 'stale-version' });
  });

  it('has the date of the catalog, its name as the file name, and counts the name as missing', () => {
    expect(picture(planned({ fallback: 'monogram' }))).to.deep.include({
      ...{ fallback: 'monogram', immutable: false, filename: 'no-such.webp', contentType: 'image/webp' },
      ...{ lastModified: new Date(PUBLISHED), missing: [{ kind: 'slug', name: 'no-such' }] },
    });
    const domain = monogramOfDomain('xn--r8jz45g.jp', '例え.jp');
    expect(picture(planned({ fallback: 'transparent' }, NOBODY, domain))).to.deep.include({
      ...{ fallback: 'transparent', filename: 'xn--r8jz45g.jp.webp' },
      missing: [{ kind: 'domain', name: 'xn--r8jz45g.jp' }],
    });
  });

  it('must be revalidated by an account with own brands', () => {
    expect(picture(planned({ fallback: 'monogram' }, OWNER))).to.include({ isOwn: true });
    expect(picture(planned({ fallback: 'monogram' }))).to.not.have.property('isOwn');
  });

  it('has an ETag for each name of other letters', () => {
    const etag = (slug: string, query: Query = {}) =>
      picture(planned({ fallback: 'monogram', ...query }, NOBODY, monogramOfSlug(slug as Slug))).etag;
    expect(etag('acme', { background: 'fff' })).to.not.equal(etag('zoo', { background: 'fff' }));
    expect(etag('acme', { background: 'fff' })).to.equal(etag('apple', { background: 'fff' }));
    expect(etag('acme')).to.not.equal(etag('apple'));
  });
});

describe('the plan of the icon of a website', () => {
  const asked: [etag: string, side: number][] = [];
  const icon = (px: number | null): SiteIcon => ({
    ...{ host: 'acme.example', source: 'https://acme.example/i.png', px, foundAt: new Date(PUBLISHED) },
    variants: [variantNamed('default', { recolorable: false }), variantNamed('mono')],
    read: (etag, side) => (asked.push([etag, side]), WHOLE),
  });
  const planned = (
    px: number | null,
    query: Query,
    { catalog = NOBODY, format = 'png' }: { readonly catalog?: AccountCatalog; readonly format?: PictureFormat } = {},
  ) => service().planSiteIcon(catalog, icon(px), request(query, format));

  for (const [px, query, isUsed] of [
    [32, { size: '64' }, true],
    [32, { size: '65' }, false],
    [32, { size: '32', scale: '2' }, true],
    [32, { size: '32', scale: '3' }, false],
    [32, { width: '16', height: '65' }, false],
    [32, { width: '65', height: '16' }, false],
    [128, {}, true],
    [127, {}, false],
    [null, { size: '2048' }, true],
  ] as const)
    it(`${isUsed ? 'exists' : 'does not exist'} for ${px ?? 'any'} px and ${JSON.stringify(query)}`, () => {
      expect(planned(px, query) !== undefined).to.equal(isUsed);
    });

  it('ignores variants and colors that the icon does not have', () => {
    const plain = picture(planned(64, { size: '64' }));
    for (const query of [{ variant: 'mono' }, { variant: 'no-such' }, { color: 'f00' }] as const)
      expect(picture(planned(64, { size: '64', ...query })).etag, JSON.stringify(query)).to.equal(plain.etag);
    expect(plain).to.deep.include({
      ...{ fallback: 'site', immutable: false, filename: 'acme.example.png', lastModified: new Date(PUBLISHED) },
    });
    expect(plain).to.not.have.property('isOwn');
    expect(picture(planned(64, { size: '64' }, { catalog: OWNER }))).to.include({ isOwn: true });
  });

  it('reads the bitmap for the longer side in device pixels, and the largest one without a size', async () => {
    const pictures = service();
    const [{ etag }] = icon(null).variants;
    for (const [query, side] of [
      [{ width: '20', height: '30', scale: '2' }, 60],
      [{ width: '40', height: '30' }, 40],
      [{}, Infinity],
    ] as const) {
      asked.length = 0;
      await pictures.render(picture(planned(512, query, { format: 'svg' })), someClient());
      expect(asked).to.deep.equal([[etag, side]]);
    }
  });
});

describe('a composed picture', () => {
  const composed = (format: 'svg' | 'png', isPrivate = false) => {
    let times = 0;
    const pictures = service();
    const plan = pictures.planComposed({
      ...{ key: 'two', format, width: 80, height: 20, cells: 2, filename: `two.${format}`, isPrivate },
      lastModified: new Date(PUBLISHED),
      compose: async () => (times++, WHOLE),
    });
    return { pictures, plan, times: () => times };
  };

  it('has the size of one of its drawings, by which its time is estimated, and is composed once', async () => {
    const { pictures, plan, times } = composed('png', true);
    expect(plan.source).to.deep.include({ isPrivate: true, size: { pixels: 1600, drawingPixels: 800 } });
    expect(plan).to.include({ contentType: 'image/png', filename: 'two.png', immutable: false, fallback: null });
    expect(await pictures.render(plan, someClient())).to.include({ ok: true });
    expect(times()).to.equal(1);
    expect(composed('png').plan.source).to.include({ isPrivate: false });
  });

  it('is busy as an SVG that is larger than the memory for pictures being sent', async () => {
    const pictures = service();
    const render = (chars: number) => {
      const plan = pictures.planComposed({
        ...{ key: `${chars}`, format: 'svg', width: 1, height: 1, cells: 1, filename: 'a.svg', isPrivate: false },
        ...{ lastModified: undefined, compose: async () => 'x'.repeat(chars) },
      });
      return pictures.render(plan, someClient());
    };
    expect(await render(2 ** 20 + 1)).to.include({ ok: false, code: 'busy', counts: false });
    expect(await render(2 ** 20)).to.include({ ok: true });
  });

  it('has an ETag for each format, and is kept in memory', async () => {
    const { pictures, plan, times } = composed('svg');
    expect(plan.etag).to.not.equal(composed('png').plan.etag);
    expect(pictures.peek(plan)).to.equal(undefined);
    for (const _ of [1, 2]) expect(await pictures.render(plan, someClient())).to.deep.equal({ ok: true, body: WHOLE });
    expect(pictures.peek(plan)).to.deep.equal({ ok: true, body: WHOLE });
    expect(times()).to.equal(1);
  });
});
