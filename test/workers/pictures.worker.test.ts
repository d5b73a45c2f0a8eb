// Pictures of real entries: lookup by slug, ETags, combined concurrent requests, cache, fallbacks.
import { assert, expect } from 'chai';
import { parseSlug, type Slug } from '../../src/catalog/entry.js';
import { PICTURE_QUERIES, pictureRequest, type PictureFormat } from '../../src/pictures/picture-request.js';
import type { RasterizeJob, Rasterizer } from '../../src/pictures/rasterizer.js';
import { createCompression } from '../../src/platform/http/response/compression.js';
import { publicCatalog } from '../../src/catalog/account-catalogs.js';
import { Pictures, type PicturesOptions, type PlannedPicture } from '../../src/pictures/pictures.js';
import {
  countingRasterizer,
  decode,
  openPictures,
  someClient,
  type Parameters,
  type OpenedPictures,
} from '../support/pictures.js';

const GITHUB = 'github' as Slug;
const nothing = (): never => assert.fail('nothing is drawn');
const LARGE_DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0${'h1'.repeat(2500)}"/></svg>`;

type Drawn = Awaited<ReturnType<Rasterizer['rasterize']>>;

describe('pictures of entries', () => {
  let pictures: OpenedPictures;
  let drawn: RasterizeJob[];

  before(async () => {
    drawn = [];
    pictures = await openPictures(countingRasterizer(drawn));
  });

  after(() => pictures.close());

  beforeEach(() => {
    drawn.length = 0;
  });

  /** Opens a picture service with the shared catalog and empty caches. `rasterize` replaces the rasterizer. */
  function picturesOf(rasterize: (job: RasterizeJob) => Drawn, options: Partial<PicturesOptions> = {}): Pictures {
    return new Pictures({
      catalog: pictures.catalog,
      rasterizer: {
        capacity: 1,
        rasterize: (job) => Promise.resolve(rasterize(job)),
        close: () => Promise.resolve(),
      },
      compression: createCompression(),
      cacheBytes: 3000,
      underWayBytes: 2 ** 26,
      maxQueue: 10,
      pictureVersion: '1',
      ...options,
    });
  }

  const plan = (format: PictureFormat, slug: Slug, parameters: Parameters = {}) =>
    pictures.pictures.plan(
      publicCatalog(pictures.catalog),
      slug,
      pictureRequest(format, PICTURE_QUERIES[format].parse(parameters)),
    );

  async function pictureOf(format: PictureFormat, slug: Slug, parameters: Parameters = {}): Promise<PlannedPicture> {
    const planned = await plan(format, slug, parameters);
    assert(planned.kind === 'picture', planned.kind);
    return planned;
  }

  it('draws blurs from the painted form, and converts to grey after drawing', async () => {
    const gemini = 'google-gemini' as Slug;
    for (const parameters of [
      { size: '512' },
      { size: '90', rotate: '90' },
      { size: '1200' },
      { size: '90', greyscale: '1' },
    ]) {
      drawn.length = 0;
      const { rgba } = await decode(await pictures.make('png', gemini, parameters));
      const [job] = drawn;
      assert(job);
      expect(job.svg).to.include('<image ').and.not.include('<filter');
      expect(job.greyscale).to.equal('greyscale' in parameters ? true : undefined);
      const isGrey = rgba.every((value, at) => at % 4 === 3 || value === rgba[at - (at % 4)]);
      expect(isGrey).to.equal('greyscale' in parameters);
    }
    expect(Buffer.from(await pictures.make('svg', gemini, { size: '90' })).toString()).to.not.include('<image');
  });

  it('gives pictures of another painted form another tag, and no others', async () => {
    const gemini = 'google-gemini' as Slug;
    const entry = pictures.entries.find(({ slug }) => slug === gemini);
    assert(entry);
    const [first, ...others] = entry.variants;
    const tagOf = async (painted: string, format: PictureFormat, parameters: Parameters): Promise<string> => {
      const variants = [{ ...first, painted }, ...others] as const;
      const catalog = publicCatalog({
        find: () => Promise.resolve({ kind: 'entry', entry: { ...entry, variants } }),
        peek: () => undefined,
        drawing: () => Promise.reject(new Error('nothing is drawn')),
      });
      const planned = await picturesOf(nothing).plan(
        catalog,
        gemini,
        pictureRequest(format, PICTURE_QUERIES[format].parse(parameters)),
      );
      assert(planned.kind === 'picture');
      return planned.etag;
    };
    for (const [format, size, isSame] of [
      ['png', '64', false],
      ['webp', '512', false],
      ['png', '600', false],
      ['svg', '64', true],
    ] as const) {
      const [one, other] = [
        await tagOf('a'.repeat(16), format, { size }),
        await tagOf('b'.repeat(16), format, { size }),
      ];
      expect(one === other, `${format} ${size}`).to.equal(isSame);
    }
  });

  it('knows tag, name and type before anything is drawn', async () => {
    const png = await pictureOf('png', GITHUB, { size: '64' });
    expect(png.etag).to.match(/^"[0-9a-f]{32}"$/);
    expect(png).to.include({ filename: 'github.png', contentType: 'image/png', immutable: false, fallback: null });
    expect(png.lastModified?.getTime()).to.be.greaterThan(0);
    expect(pictures.pictures.peek(png)).to.equal(undefined);
    expect(drawn).to.deep.equal([]);
  });

  it('changes every tag with the version of pictures', async () => {
    const request = pictureRequest('png', {});
    const [one, two] = await Promise.all(
      ['1', '2'].map((pictureVersion) =>
        picturesOf(nothing, { pictureVersion }).plan(publicCatalog(pictures.catalog), GITHUB, request),
      ),
    );
    assert(one?.kind === 'picture' && two?.kind === 'picture');
    expect(one.etag).to.not.equal(two.etag);
  });

  it('forgets the oldest pictures beyond its memory', async () => {
    const made = picturesOf((job) => {
      drawn.push(job);
      return { ok: true, bytes: new Uint8Array(400), cpuMs: 1 };
    });
    const ask = async (size: string) => {
      const planned = await made.plan(
        publicCatalog(pictures.catalog),
        GITHUB,
        pictureRequest('png', PICTURE_QUERIES.png.parse({ size })),
      );
      assert(planned.kind === 'picture');
      await made.render(planned, someClient());
    };
    for (const size of ['10', '11', '12', '13', '14', '14', '10']) await ask(size);
    expect(drawn.map(({ width }) => width)).to.deep.equal([10, 11, 12, 13, 14, 10]);
  });

  it('stores PNG and WebP on the disk, except pictures of own brands', async () => {
    const entry = pictures.entries.find(({ slug }) => slug === GITHUB);
    assert(entry);
    const catalog = publicCatalog(pictures.catalog);
    for (const [brand, count] of [
      [entry, 2],
      [{ ...entry, own: true }, 0],
    ] as const) {
      const stored: string[] = [];
      const pictureStore = { get: async () => undefined, put: async (key: string) => void stored.push(key) };
      const made = picturesOf(() => ({ ok: true, bytes: new Uint8Array(400), cpuMs: 1 }), { pictureStore });
      for (const format of ['png', 'webp'] as const) {
        const planned = made.planEntry(brand, catalog.drawingsOf(brand), pictureRequest(format, {}));
        assert(planned.kind === 'picture');
        expect(await made.render(planned, someClient())).to.have.property('ok', true);
      }
      expect(stored).to.have.length(count);
    }
  });

  it('caches a compressed SVG with the picture, and evicts both within the same limit', async () => {
    const cacheBytes = 20_000;
    const catalog = publicCatalog({ ...pictures.catalog, drawing: () => Promise.resolve(LARGE_DRAWING) });
    const encoded: number[] = [];
    const made = picturesOf(nothing, {
      compression: {
        compress: (_coding, body) => (encoded.push(body.length), Promise.resolve(new Uint8Array(1000))),
      },
      cacheBytes,
    });
    const ask = async (size: string) => {
      const planned = await made.plan(catalog, GITHUB, pictureRequest('svg', PICTURE_QUERIES.svg.parse({ size })));
      assert(planned.kind === 'picture');
      const outcome = await made.render(planned, someClient());
      assert(outcome.ok);
      await planned.codings!.encode('br', outcome.body, '');
    };
    await ask('10');
    expect(made.cachedBytes()).to.be.within(LARGE_DRAWING.length + 1000, LARGE_DRAWING.length + 3000);
    await ask('10');
    expect(encoded).to.have.length(1);
    for (const size of ['11', '12', '13', '14']) await ask(size);
    expect(made.cachedBytes()).to.be.within(LARGE_DRAWING.length, cacheBytes);
    expect(encoded).to.have.length(5);
    await ask('10');
    expect(encoded).to.have.length(6);
  });

  it('draws a monogram for an unknown slug, by the same grammar', async () => {
    const slug = parseSlug('Big-Corp')!;
    const monogram = await pictureOf('png', slug, { fallback: 'monogram', size: '64', radius: '50' });
    expect(monogram).to.include({ fallback: 'monogram', filename: 'big-corp.png' });
    const { width, rgba } = await decode(
      await pictures.make('png', slug, { fallback: 'monogram', size: '64', radius: '50' }),
    );
    expect(width).to.equal(64);
    expect(rgba[3]).to.equal(0);
    expect(rgba[(32 * 64 + 2) * 4 + 3]).to.equal(255);
    const white = Array.from({ length: 64 * 64 }, (_, at) => rgba.subarray(at * 4, at * 4 + 4)).filter((pixel) =>
      pixel.every((channel) => channel === 255),
    );
    expect(white.length).to.be.within(100, 1500);
  });

  it('makes PNG and lossless WebP of the same pixels, and an SVG that says the same size', async () => {
    const layouts: Parameters[] = [
      {},
      { size: '90' },
      { width: '120', background: 'eef', padding: '10' },
      { height: '50', rotate: '90', flip: 'h' },
    ];
    const some = pictures.entries.filter(
      ({ slug }, index) => index % 60 === 0 || ['messenger', 'bitcoin', 'duckduckgo', 'github'].includes(slug),
    );
    await Promise.all(
      some.map(async ({ slug }, index) => {
        const parameters = layouts[index % layouts.length]!;
        const [png, webp, svg] = await Promise.all(
          (['png', 'webp', 'svg'] as const).map((format) => pictures.make(format, slug, parameters)),
        );
        const [one, other] = [await decode(png!), await decode(webp!)];
        expect(Buffer.compare(one.rgba, other.rgba), slug).to.equal(0);
        if (index % layouts.length !== 0)
          expect(Buffer.from(svg!).toString()).to.include(` width="${one.width}" height="${one.height}" `);
      }),
    );
  });
});
