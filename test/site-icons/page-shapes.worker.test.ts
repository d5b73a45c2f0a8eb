// Choice of a site's icon, for the different kinds of pages that sites have.
import { expect } from 'chai';
import sharp from 'sharp';
import { gzipSync } from 'node:zlib';
import type { AccountId } from '../../src/accounts/account.js';
import { icoFile } from '../../src/pictures/ico.js';
import { openFinder, type TestFinder } from './finder.js';
import { plainPng, png, startSite, svg, type Answers, type Site } from './sites.js';

const HOST = 'shapes.example';
const ACCOUNT = 'account' as AccountId;

/**
 * Responses of a site. `chosen` is the path of the icon that must be chosen, or undefined if every icon must be
 * rejected.
 */
interface Shape {
  readonly title: string;
  readonly answers: Answers;
  readonly chosen: string | undefined;
  /** Side of the stored bitmap, px; null for a drawing. */
  readonly px?: number | null;
  /** All requests that the site gets. */
  readonly requests?: readonly string[];
}

const page = (head: string): string => `<!doctype html><html><head>${head}</head><body><p>Hello</p></body></html>`;
const icon = (href: string, more = ''): string => `<link rel="icon" href="${href}" ${more}>`;
const status =
  (code: number, body = '', type = 'text/html'): Exclude<Answers[string], string | Buffer> =>
  (_, response) =>
    void response.writeHead(code, { 'Content-Type': type }).end(body);
const moved =
  (location: string): Exclude<Answers[string], string | Buffer> =>
  (_, response) =>
    void response.writeHead(301, { Location: location }).end();
const encoded =
  (text: Buffer, headers: Readonly<Record<string, string>>): Exclude<Answers[string], string | Buffer> =>
  (_, response) =>
    void response.writeHead(200, headers).end(text);
const manifest = (...icons: readonly object[]): string => JSON.stringify({ name: 'App', icons });

async function shapes(): Promise<readonly Shape[]> {
  const [p16, p32, p48, p64] = await Promise.all([16, 32, 48, 64].map((side) => png(side)));
  const [p180, p192, p512, p1024] = await Promise.all([180, 192, 512, 1024].map((side) => png(side)));
  if (!p16 || !p32 || !p48 || !p64 || !p180 || !p192 || !p512 || !p1024) throw new Error('no pictures');
  const banner = await png(600, 100);
  const blank = await plainPng(64);
  const empty = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer();
  const to = (format: 'jpeg' | 'webp' | 'gif' | 'avif') => sharp(p192).toFormat(format).toBuffer();
  const [jpeg, webp, gif, avif] = await Promise.all((['jpeg', 'webp', 'gif', 'avif'] as const).map(to));
  if (!jpeg || !webp || !gif || !avif) throw new Error('no pictures');
  const ico = Buffer.from(
    icoFile([
      { side: 16, png: p16 },
      { side: 48, png: p48 },
    ]),
  );
  const frames = await Promise.all(Array.from({ length: 20 }, (_, at) => png(16 + at * 8)));
  const manyFrames = Buffer.from(icoFile(frames.map((frame, at) => ({ side: 16 + at * 8, png: frame }))));
  const hostile = svg().replace('<path', '<script>alert(1)</script><path onclick="alert(2)"');
  return [
    {
      title: 'a favicon without any link',
      answers: { '/': page(''), '/favicon.ico': ico },
      chosen: '/favicon.ico',
      px: 48,
    },
    {
      title: 'a touch icon without any link',
      answers: { '/': page(''), '/favicon.ico': ico, '/apple-touch-icon.png': p180 },
      chosen: '/apple-touch-icon.png',
      px: 180,
    },
    { title: 'one PNG', answers: { '/': page(icon('/i.png')), '/i.png': p64 }, chosen: '/i.png', px: 64 },
    { title: 'one SVG', answers: { '/': page(icon('/i.svg')), '/i.svg': svg() }, chosen: '/i.svg', px: null },
    {
      title: 'an SVG beside larger bitmaps',
      answers: { '/': page(icon('/i.png', 'sizes=1024x1024') + icon('/i.svg')), '/i.png': p1024, '/i.svg': svg() },
      chosen: '/i.svg',
      px: null,
    },
    {
      title: 'an SVG that its type declares',
      answers: { '/': page(icon('/i?v=2', 'type="image/svg+xml"') + icon('/i.png')), '/i?v=2': svg(), '/i.png': p512 },
      chosen: '/i?v=2',
      px: null,
    },
    {
      title: 'the smallest bitmap that is large enough',
      answers: {
        '/': page(
          icon('/l.png', 'sizes=1024x1024') + icon('/m.png', 'sizes=512x512') + icon('/s.png', 'sizes=192x192'),
        ),
        '/l.png': p1024,
        '/m.png': p512,
        '/s.png': p192,
      },
      chosen: '/m.png',
      px: 512,
    },
    {
      title: 'the largest bitmap if none is large enough',
      answers: {
        '/': page(icon('/a.png', 'sizes=16x16') + icon('/b.png', 'sizes=64x64') + icon('/c.png', 'sizes=32x32')),
        '/a.png': p16,
        '/b.png': p64,
        '/c.png': p32,
      },
      chosen: '/b.png',
      px: 64,
    },
    {
      title: 'a touch icon beside a favicon',
      answers: {
        '/': page(`${icon('/f.ico')}<link rel="apple-touch-icon" href="/t.png">`),
        '/f.ico': ico,
        '/t.png': p180,
      },
      chosen: '/t.png',
      px: 180,
    },
    {
      title: 'a precomposed touch icon',
      answers: { '/': page('<link rel="apple-touch-icon-precomposed" sizes="180x180" href="/t.png">'), '/t.png': p180 },
      chosen: '/t.png',
    },
    {
      title: 'the old rel "shortcut icon" in capitals',
      answers: { '/': page('<LINK REL="SHORTCUT ICON" HREF="/i.png">'), '/i.png': p64 },
      chosen: '/i.png',
    },
    {
      title: 'a mask icon beside a favicon',
      answers: {
        '/': page(`<link rel="mask-icon" href="/m.svg" color="#f00">${icon('/i.png')}`),
        '/m.svg': svg(),
        '/i.png': p32,
      },
      chosen: '/i.png',
      px: 32,
    },
    {
      title: 'a mask icon alone',
      answers: { '/': page('<link rel="mask-icon" href="/m.svg" color="#f00">'), '/m.svg': svg() },
      chosen: '/m.svg',
      px: null,
    },
    {
      title: 'a tile image',
      answers: { '/': page('<meta name="msapplication-TileImage" content="/tile.png">'), '/tile.png': p192 },
      chosen: '/tile.png',
      px: 192,
    },
    {
      title: 'a manifest with URLs relative to itself',
      answers: {
        '/': page('<link rel="manifest" href="/app/m.json">'),
        '/app/m.json': manifest(
          { src: 'i/512.png', sizes: '512x512', type: 'image/png' },
          { src: '/192.png', sizes: '192x192' },
        ),
        '/app/i/512.png': p512,
        '/192.png': p192,
      },
      chosen: '/app/i/512.png',
      px: 512,
    },
    {
      title: 'a manifest with a maskable icon beside another',
      answers: {
        '/': page('<link rel="manifest" href="/m.json">'),
        '/m.json': manifest(
          { src: '/mask.png', sizes: '512x512', purpose: 'maskable' },
          { src: '/any.png', sizes: '192x192', purpose: 'any' },
        ),
        '/mask.png': p512,
        '/any.png': p192,
      },
      chosen: '/any.png',
    },
    {
      title: 'a manifest with maskable icons only',
      answers: {
        '/': page('<link rel="manifest" href="/m.json">'),
        '/m.json': manifest({ src: '/mask.png', sizes: '512x512', purpose: 'maskable' }),
        '/mask.png': p512,
      },
      chosen: '/mask.png',
    },
    {
      title: 'a manifest icon for both purposes',
      answers: {
        '/': page('<link rel="manifest" href="/m.json">'),
        '/m.json': manifest({ src: '/both.png', sizes: '512x512', purpose: 'any maskable' }),
        '/both.png': p512,
      },
      chosen: '/both.png',
    },
    {
      title: 'a manifest with an SVG',
      answers: {
        '/': page(`${icon('/i.png')}<link rel="manifest" href="/m.json">`),
        '/i.png': p64,
        '/m.json': manifest({ src: 'i.svg', sizes: 'any', type: 'image/svg+xml' }),
        '/i.svg': svg(),
      },
      chosen: '/i.svg',
      px: null,
    },
    {
      title: 'a damaged manifest',
      answers: {
        '/': page(`${icon('/i.png')}<link rel="manifest" href="/m.json">`),
        '/m.json': '{"icons": [',
        '/i.png': p64,
      },
      chosen: '/i.png',
    },
    {
      title: 'a base URL',
      answers: { '/': page(`<base href="/deep/er/">${icon('../i.png')}`), '/deep/i.png': p64 },
      chosen: '/deep/i.png',
    },
    {
      title: 'two base URLs, of which browsers use the first',
      answers: { '/': page(`<base href="/a/"><base href="/b/">${icon('i.png')}`), '/a/i.png': p64, '/b/i.png': p512 },
      chosen: '/a/i.png',
    },
    {
      title: 'a base URL with the scheme data, which browsers ignore',
      answers: { '/': page(`<base href="data:text/plain,x">${icon('i.png')}`), '/i.png': p64 },
      chosen: '/i.png',
    },
    {
      title: 'URLs with spaces and entities',
      answers: { '/': page(icon(' /i.png?a=1&amp;b=2 ')), '/i.png?a=1&b=2': p64 },
      chosen: '/i.png?a=1&b=2',
    },
    {
      title: 'attributes without quotes, and no html or head element',
      answers: { '/': '<title>x</title><link rel=icon href=/i.png><p>text', '/i.png': p64 },
      chosen: '/i.png',
    },
    {
      title: 'links in comments and scripts',
      answers: {
        '/': page(`<!-- ${icon('/no.png')} --><script>'${icon('/no.png')}'</script>${icon('/i.png')}`),
        '/no.png': p512,
        '/i.png': p64,
      },
      chosen: '/i.png',
      px: 64,
    },
    {
      title: 'links in the body',
      answers: { '/': `<html><head></head><body>${icon('/no.png')}</body>`, '/no.png': p512 },
      chosen: undefined,
    },
    {
      title: 'a page in UTF-16',
      answers: {
        '/': encoded(Buffer.from(`\uFEFF${page(icon('/ü.png'))}`, 'utf16le'), { 'Content-Type': 'text/html' }),
        '/%C3%BC.png': p64,
      },
      chosen: '/%C3%BC.png',
    },
    {
      title: 'a page in UTF-16 that only its Content-Type declares',
      answers: {
        '/': encoded(Buffer.from(page(icon('/i.png')), 'utf16le'), { 'Content-Type': 'text/html; charset=utf-16' }),
        '/i.png': p64,
      },
      chosen: '/i.png',
    },
    {
      title: 'a page with an unknown encoding',
      answers: {
        '/': encoded(Buffer.from(page(icon('/i.png'))), { 'Content-Type': 'text/html; charset=utf-32' }),
        '/i.png': p64,
      },
      chosen: '/i.png',
    },
    {
      title: 'a page whose declaration names its encoding',
      answers: {
        '/': encoded(Buffer.from(page(`<meta charset="iso-8859-1">${icon('/\u00fc.png')}`), 'latin1'), {
          'Content-Type': 'text/html',
        }),
        '/%C3%BC.png': p64,
      },
      chosen: '/%C3%BC.png',
    },
    {
      title: 'a compressed page and icon',
      answers: {
        '/': encoded(gzipSync(page(icon('/i.svg'))), { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }),
        '/i.svg': encoded(gzipSync(svg()), { 'Content-Type': 'image/svg+xml', 'Content-Encoding': 'gzip' }),
      },
      chosen: '/i.svg',
    },
    {
      title: 'a page of 10 MB with the links at its start',
      answers: { '/': page(icon('/i.png')) + 'x'.repeat(10_000_000), '/i.png': p64 },
      chosen: '/i.png',
    },
    {
      title: 'a head of 10 MB',
      answers: {
        '/': `<head><style>${'x'.repeat(10_000_000)}</style>${icon('/no.png')}`,
        '/no.png': p64,
        '/favicon.ico': ico,
      },
      chosen: '/favicon.ico',
    },
    {
      title: 'a redirect to another path',
      answers: { '/': moved('/en/'), '/en/': page(icon('i.png')), '/en/i.png': p64 },
      chosen: '/en/i.png',
    },
    {
      title: 'an icon behind a redirect',
      answers: { '/': page(icon('/i.png')), '/i.png': moved('/real.png'), '/real.png': p64 },
      chosen: '/real.png',
    },
    { title: 'a page that loops', answers: { '/': moved('/'), '/favicon.ico': ico }, chosen: undefined },
    {
      title: 'a page that answers 403, with a favicon',
      answers: { '/': status(403, page(icon('/firewall.png'))), '/firewall.png': p512, '/favicon.ico': ico },
      chosen: '/favicon.ico',
    },
    { title: 'a page that answers 500, without an icon', answers: { '/': status(500) }, chosen: undefined },
    {
      title: 'a page that is no HTML',
      answers: { '/': status(200, '{}', 'application/json'), '/favicon.ico': ico },
      chosen: '/favicon.ico',
    },
    {
      title: 'a declared icon that is missing',
      answers: { '/': page(icon('/gone.png', 'sizes=512x512') + icon('/i.png', 'sizes=64x64')), '/i.png': p64 },
      chosen: '/i.png',
    },
    {
      title: 'an icon that is an HTML page',
      answers: { '/': page(icon('/i.png')), '/i.png': page('not found'), '/favicon.ico': ico },
      chosen: '/favicon.ico',
    },
    {
      title: 'a PNG with wrong sizes',
      answers: {
        '/': page(icon('/lies.png', 'sizes=512x512') + icon('/i.png', 'sizes=192x192')),
        '/lies.png': p16,
        '/i.png': p192,
      },
      chosen: '/i.png',
      px: 192,
    },
    {
      title: 'an ICO with 20 frames',
      answers: { '/': page(icon('/i.ico')), '/i.ico': manyFrames },
      chosen: '/i.ico',
      px: 168,
    },
    {
      title: 'a damaged ICO',
      answers: { '/': page(icon('/i.ico')), '/i.ico': ico.subarray(0, 40) },
      chosen: undefined,
    },
    {
      title: 'a JPEG',
      answers: { '/': page(icon('/i.jpg', 'sizes=192x192')), '/i.jpg': jpeg },
      chosen: '/i.jpg',
      px: 192,
    },
    { title: 'a WebP', answers: { '/': page(icon('/i.webp')), '/i.webp': webp }, chosen: '/i.webp', px: 192 },
    { title: 'a GIF', answers: { '/': page(icon('/i.gif')), '/i.gif': gif }, chosen: '/i.gif', px: 192 },
    { title: 'an AVIF', answers: { '/': page(icon('/i.avif')), '/i.avif': avif }, chosen: '/i.avif', px: 192 },
    {
      title: 'a banner beside a smaller square',
      answers: {
        '/': page(icon('/wide.png', 'sizes=600x100') + icon('/i.png', 'sizes=180x180')),
        '/wide.png': banner,
        '/i.png': p180,
      },
      chosen: '/i.png',
    },
    {
      title: 'a tile of one color',
      answers: {
        '/': page(icon('/blank.png', 'sizes=64x64') + icon('/i.png', 'sizes=32x32')),
        '/blank.png': blank,
        '/i.png': p32,
      },
      chosen: '/i.png',
    },
    { title: 'a transparent icon', answers: { '/': page(icon('/empty.png')), '/empty.png': empty }, chosen: undefined },
    {
      title: 'an icon of 1 MB and more',
      answers: {
        '/': page(icon('/huge.png')),
        '/huge.png': Buffer.concat([p512, Buffer.alloc(1_048_576)]),
        '/favicon.ico': ico,
      },
      chosen: '/favicon.ico',
    },
    {
      title: 'an SVG with scripts',
      answers: { '/': page(icon('/i.svg')), '/i.svg': hostile },
      chosen: '/i.svg',
      px: null,
    },
    {
      title: 'an SVG with text, which cannot be drawn without fonts',
      answers: {
        '/': page(icon('/i.svg') + icon('/i.png')),
        '/i.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>x</text></svg>',
        '/i.png': p64,
      },
      chosen: '/i.png',
    },
    {
      title: 'an icon for dark pages beside another',
      answers: {
        '/': page(
          icon('/dark.svg', 'media="(prefers-color-scheme: dark)"') +
            icon('/light.svg', 'media="(prefers-color-scheme: light)"'),
        ),
        '/dark.svg': svg('#ffffff'),
        '/light.svg': svg(),
      },
      chosen: '/light.svg',
    },
    ...dataShapes({ p64, p512, ico, hostile }),
    {
      title: 'a damaged data URL and other schemes',
      answers: {
        '/': page(icon('data:image/png;base64,AAAA') + icon('javascript:alert(1)') + icon('file:///etc/passwd')),
        '/favicon.ico': ico,
      },
      chosen: '/favicon.ico',
    },
    {
      title: 'more than 50 icons',
      answers: { '/': page(Array.from({ length: 5000 }, (_, at) => icon(`/${at}.png`)).join('')), '/favicon.ico': ico },
      chosen: '/favicon.ico',
    },
  ];
}

const dataUrl = (type: string, bytes: Buffer | string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

/**
 * Returns sites with icons in `data:` URLs. The expected source of these icons (`chosen`) is the path of the page, not
 * the `data:` URL.
 */
function dataShapes(files: Readonly<Record<'p64' | 'p512' | 'ico' | 'hostile', Buffer | string>>): readonly Shape[] {
  const { p64, p512, ico, hostile } = files;
  const favicon = { '/favicon.ico': ico };
  const escaped = `data:image/svg+xml,${encodeURIComponent(svg())}`;
  const commented = svg().replace('<path', '<!-- é 100% --><path');
  const odd = commented.replaceAll('#', '%23').replaceAll('"', "'").replaceAll('><', '>\n<');
  return [
    {
      title: 'an SVG in a data URL beside larger bitmaps',
      answers: { '/': page(icon('/i.png', 'sizes=512x512') + icon(escaped)), '/i.png': p512, ...favicon },
      ...{ chosen: '/', px: null, requests: ['/'] },
    },
    {
      title: 'an SVG in a data URL with a charset, a base64 text and a title',
      answers: { '/': page(icon(dataUrl('image/svg+xml;charset=utf-8', svg()), 'title="Home"')) },
      ...{ chosen: '/', px: null, requests: ['/'] },
    },
    {
      title: 'a bitmap in a data URL without other icons',
      answers: { '/': page(icon(dataUrl('image/png', p64))) },
      ...{ chosen: '/', px: 64 },
    },
    {
      title: 'a data URL in a manifest',
      answers: {
        '/': page('<link rel="manifest" href="/m.json">'),
        '/m.json': manifest({ src: dataUrl('image/png', p512), sizes: '512x512' }),
        ...favicon,
      },
      ...{ chosen: '/', px: 512 },
    },
    {
      title: 'an SVG with scripts in a data URL',
      answers: { '/': page(icon(dataUrl('image/svg+xml', hostile))) },
      ...{ chosen: '/', px: null },
    },
    {
      title: 'a data URL in capital letters, with line breaks, a letter of two bytes and a percent sign without digits',
      answers: { '/': page(icon(` DATA:Image/SVG+XML,${odd}`)) },
      ...{ chosen: '/', px: null },
    },
    {
      title: 'a data URL of 300 KB',
      answers: { '/': page(icon(dataUrl('image/svg+xml', svg() + ' '.repeat(230_000)))) },
      ...{ chosen: '/', px: null },
    },
    {
      title: 'a data URL that is larger than the limit of a page',
      answers: { '/': page(icon(dataUrl('image/svg+xml', svg() + ' '.repeat(600_000)))), ...favicon },
      chosen: '/favicon.ico',
    },
    {
      title: 'an SVG in a data URL with an unescaped #, which ends the URL',
      answers: { '/': page(icon(`data:image/svg+xml,${svg().replaceAll('"', "'")}`)), ...favicon },
      chosen: '/favicon.ico',
    },
    { title: 'an HTML page in a data URL', answers: { '/': page(icon('data:text/html,<svg>')) }, chosen: undefined },
    {
      title: 'the empty data URL, beside a favicon that no link declares',
      answers: { '/': page(icon('data:,')), ...favicon },
      chosen: '/favicon.ico',
    },
    {
      title: 'the empty data URL in its other spellings, beside a declared icon',
      answers: { '/': page(icon('data:;base64,') + icon('data:image/png;base64,=') + icon('/i.png')), '/i.png': p64 },
      chosen: '/i.png',
    },
    { title: 'only the empty data URL', answers: { '/': page(icon('data:,')) }, chosen: undefined },
    {
      title: 'an icon that redirects to a data URL',
      answers: { '/': page(icon('/i.svg')), '/i.svg': moved(escaped), ...favicon },
      chosen: '/favicon.ico',
    },
    {
      title: 'an icon behind a redirect to a URL of 3,000 characters',
      answers: {
        '/': page(icon('/i.png')),
        '/i.png': moved(`/${'x'.repeat(3000)}`),
        [`/${'x'.repeat(3000)}`]: p64,
        ...favicon,
      },
      chosen: '/favicon.ico',
    },
  ];
}

describe('the icon of a page with', () => {
  let site: Site;
  let finder: TestFinder;
  let all: readonly Shape[];
  before(async () => {
    site = await startSite({});
    finder = openFinder([`${HOST}=${site.origin}`]);
    all = await shapes();
  });
  after(async () => {
    await finder.close();
    await site.close();
  });

  // One test for all shapes, because the shapes are made asynchronously before the first test.
  it('each of these shapes is the one that people would choose', async () => {
    expect(all.length).to.be.at.least(40);
    for (const { title, answers, chosen, px, requests } of all) {
      site.answer(answers);
      site.requests.splice(0);
      const found = await finder.find({ host: HOST, accountId: ACCOUNT, signal: new AbortController().signal });
      const source = found.kind === 'found' ? found.icon.source.url : undefined;
      expect(source, title).to.equal(chosen === undefined ? undefined : `https://${HOST}${chosen}`);
      if (requests) expect(site.requests, title).to.deep.equal(requests);
      if (px !== undefined) expect(found.kind === 'found' && found.icon.px, title).to.equal(px);
      if (found.kind === 'found') expect(JSON.stringify(found.icon), title).to.not.match(/script|onclick|alert/);
      expect(site.requests.length, title).to.be.at.most(20);
    }
  });
});
