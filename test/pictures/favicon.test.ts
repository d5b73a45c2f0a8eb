// Favicons: the drawing in each file, the web manifest, and an HTML page that uses the icons.
import { expect } from 'chai';
import {
  FAVICON_PNGS,
  ICO_SIDES,
  faviconManifest,
  faviconPage,
  faviconRequest,
  type FaviconOptions,
} from '../../src/pictures/favicon.js';
import type { Color } from '../../src/platform/text/color.js';
import { someEntry, variantNamed } from '../support/entries.js';

const options = (fields: Partial<FaviconOptions> = {}): FaviconOptions => ({
  ...{ variant: null, on: null, color: null, background: null },
  ...fields,
});

describe('the manifest of a site', () => {
  const colors = (hex: string | null, fields: Partial<FaviconOptions> = {}) => {
    const manifest = JSON.parse(faviconManifest(someEntry('acme', { title: 'Acme', hex }), options(fields))) as Record<
      string,
      unknown
    >;
    return [manifest.theme_color, manifest.background_color];
  };

  it('uses the color of the brand as its theme, rather than the background of its icons', () => {
    expect(colors('#1D63ED')).to.deep.equal(['#1d63ed', '#ffffff']);
    expect(colors('#1D63ED', { background: '0a64c8ff' as Color })).to.deep.equal(['#1d63ed', '#0a64c8']);
  });

  it('uses the background as its theme if the color of the brand is unknown', () => {
    expect(colors(null, { on: 'dark' })).to.deep.equal(['#0d1117', '#0d1117']);
    expect(colors(null, { background: '0a64c8ff' as Color })).to.deep.equal(['#0a64c8', '#0a64c8']);
  });
});

describe('the page that icons are made for', () => {
  it('is the requested one, or follows from the background, or else is a light one', () => {
    expect(faviconPage(options())).to.equal('light');
    expect(faviconPage(options({ background: '111111ff' as Color }))).to.equal('dark');
    expect(faviconPage(options({ background: 'eeeeeeff' as Color }))).to.equal('light');
    expect(faviconPage(options({ background: 'eeeeeeff' as Color, on: 'dark' }))).to.equal('dark');
  });
});

describe('the request for an icon', () => {
  const SIDE = 100;
  const GREEN = '00ff00ff' as Color;
  const request = (
    kind: 'tab' | 'home screen' | 'mask',
    fields: Partial<FaviconOptions> = {},
    drawn?: Parameters<typeof faviconRequest>[2]['drawn'],
  ) => faviconRequest(someEntry('acme'), options(fields), { kind, side: SIDE, ...(drawn && { drawn }) });

  for (const [kind, fields, paddingPercent, background, on] of [
    ['tab', {}, 0, null, 'light'],
    ['tab', { on: 'dark' }, 0, null, 'dark'],
    ['tab', { background: GREEN }, 12, GREEN, 'light'],
    ['home screen', {}, 14, 'ffffffff', 'light'],
    ['home screen', { on: 'dark' }, 14, '0d1117ff', 'dark'],
    ['home screen', { background: GREEN, on: 'dark' }, 14, GREEN, 'dark'],
  ] as const)
    it(`has this background and padding: ${kind} ${JSON.stringify(fields)}`, () => {
      const made = request(kind, fields);
      expect(made).to.include({ on, format: 'png', color: null, variant: null });
      expect(made.layout).to.include({ paddingPercent, background, width: SIDE, height: SIDE, trim: true, scale: 1 });
    });

  for (const [what, facts, paddingPercent] of [
    ['a square', { width: 24, height: 24 }, 50 * (1 - 0.8 / Math.SQRT2)],
    ['a wide one', { width: 40, height: 30 }, 50 * (1 - 0.8 * 0.8)],
    ['a high one', { width: 30, height: 40 }, 50 * (1 - 0.8 * 0.8)],
    ['its ink alone', { width: 24, height: 24, ink: [1, 2, 12, 5] as const }, 50 * (1 - (0.8 * 12) / 13)],
  ] as const)
    it(`keeps the corners of the drawing on the edge of the safe zone of a mask: ${what}`, () => {
      const { layout } = request('mask', { on: 'dark' }, variantNamed('default', facts));
      expect(layout.paddingPercent).to.be.closeTo(paddingPercent, 1e-9);
      expect(layout.background).to.equal('0d1117ff');
    });

  it('assumes that any drawing is square before it is known', () => {
    expect(request('mask').layout.paddingPercent).to.be.closeTo(50 * (1 - 0.8 / Math.SQRT2), 1e-9);
  });

  it('uses the symbol of the entry, unless another variant is named', () => {
    const wordmark = variantNamed('default', { width: 300, height: 100 });
    const entry = someEntry('acme', { variants: [wordmark, variantNamed('icon', { width: 10, height: 10 })] });
    const variantOf = (variant: string | null) =>
      faviconRequest(entry, options({ variant, color: 'brand' }), { kind: 'tab', side: SIDE });
    expect(variantOf(null)).to.include({ variant: 'icon', color: 'brand' });
    expect(variantOf('mono')).to.include({ variant: 'mono' });
  });

  it('has the side of its file, which the manifest names', () => {
    expect(Object.entries(FAVICON_PNGS).map(([name, { side, kind }]) => [name, side, kind])).to.deep.equal([
      ['apple-touch-icon.png', 180, 'home screen'],
      ['icon-192.png', 192, 'tab'],
      ['icon-512.png', 512, 'tab'],
      ['icon-mask.png', 512, 'mask'],
    ]);
    expect(ICO_SIDES).to.deep.equal([16, 32, 48]);
    const manifest = JSON.parse(faviconManifest(someEntry('acme', { title: 'Acme' }), options(), '?v=1')) as object;
    expect(manifest).to.deep.equal({
      name: 'Acme',
      short_name: 'Acme',
      start_url: '/',
      display: 'standalone',
      theme_color: '#ffffff',
      background_color: '#ffffff',
      icons: [
        { src: 'icon-192.png?v=1', type: 'image/png', sizes: '192x192' },
        { src: 'icon-512.png?v=1', type: 'image/png', sizes: '512x512' },
        { src: 'icon-mask.png?v=1', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
      ],
    });
  });
});
