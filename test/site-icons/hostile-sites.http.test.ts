// Sites that try to hang, exhaust or confuse the service. For each of them, the service uses the next fallback, and
// other sites are still served.
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { startServer, type TestServer } from '../support/server.js';
import { startSite, svg, type Site } from './sites.js';

type Answer = (path: string, response: ServerResponse) => void;

const raw =
  (text: string): Answer =>
  (_, response) =>
    void response.socket?.end(text);
const everywhere =
  (body: Buffer | string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body);
const movedTo =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { Location: location }).end();
/** Responds to `/i` with `body`, and to all other paths with a page that declares `/i` as its icon or manifest. */
const declared =
  (rel: 'icon' | 'manifest', body: Buffer | string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (path, response) => {
    if (path === '/i') response.writeHead(200, headers).end(body);
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<head><link rel=${rel} href=/i></head>`);
  };

function drip(response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.write(text), 50);
  response.on('close', () => clearInterval(timer));
}

const links = (...urls: readonly string[]) => urls.map((url) => `<link rel=icon href="${url}">`).join('');
const open = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">';
const ENTITIES = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('');
const USES = Array.from({ length: 20 }, (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`);

/** Attack → function that responds to each request. */
const HOSTILE: Readonly<Record<string, Answer>> = {
  'sends no response': () => undefined,
  'drips its page': (_, response) => drip(response.writeHead(200, { 'Content-Type': 'text/html' }), ' '),
  'drips its headers': (_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket?.write('X: y\r\n'), 50);
    socket?.on('close', () => clearInterval(timer));
  },
  'closes the connection': (_, response) => void response.destroy(),
  'redirects to a private address': movedTo('http://169.254.169.254/latest/meta-data/'),
  'redirects to a file': movedTo('file:///etc/passwd'),
  'redirects to text that is no URL': movedTo('http://[bad'),
  'redirects without end': (path, response) => movedTo(`${path}x`)(path, response),
  'declares icons at private addresses': everywhere(
    links('http://127.0.0.1:22/a', 'http://[::1]/a', 'http://0x7f.1/a'),
  ),
  'sends a gzip bomb as its page': everywhere(gzipSync(Buffer.alloc(20_000_000)), { 'Content-Encoding': 'gzip' }),
  'sends a Brotli bomb as its icon': declared('icon', brotliCompressSync(Buffer.alloc(20_000_000)), {
    'Content-Encoding': 'br',
  }),
  'sends a gzip bomb as its SVG': declared('icon', gzipSync(open + ' '.repeat(50_000_000))),
  'sends a manifest of 10 MB': declared('manifest', `{"icons":[${'{"src":"/a.png"},'.repeat(600_000)}{}]}`),
  'sends a deeply nested manifest': declared('manifest', '['.repeat(500_000)),
  'sends a manifest with wrong types': declared('manifest', '{"icons":[null,1,{"src":5},{"src":{}},{"type":["x"]}]}'),
  'sends an SVG with exponential entities': declared(
    'icon',
    `<!DOCTYPE svg [<!ENTITY e0 "0">${ENTITIES}]>${open}<path d="&e9;"/></svg>`,
  ),
  'sends an SVG with exponential references': declared(
    'icon',
    `${open}<path id="g0" d="M0 0h9v9z"/>${USES.join('')}</svg>`,
  ),
  'sends a deeply nested SVG': declared('icon', open + '<g>'.repeat(100_000)),
  'sends half a megabyte of brackets': everywhere('<'.repeat(500_000)),
  'declares an icon with a long rel': everywhere(`<link rel="${' '.repeat(480_000)}x" href=/i>`),
  'declares long data URLs of no use': everywhere(
    links(`data:image/svg+xml,${'%'.repeat(200_000)}`, `data:${';a='.repeat(90_000)},x`),
  ),
  'declares a data URL with a long header': everywhere(links(`data:image/png${' '.repeat(400_000)}x;base64,AAAA`)),
  'declares icons and a base with long host names': everywhere(
    `${links(`https://${'漢'.repeat(50_000)}.com/i`)}<base href="https://${'字'.repeat(50_000)}.com/">${links('a', 'b')}`,
  ),
  'declares a manifest with a long host name': declared(
    'manifest',
    `{"icons":[{"src":"//${'漢'.repeat(150_000)}.com"}]}`,
  ),
  'names an unknown encoding': everywhere('<p>x', { 'Content-Type': 'text/html; charset=utf-32' }),
  'speaks HTTP/0.9': raw('<link rel=icon href=/i>'),
  'sends a negative length': raw('HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi'),
  'switches protocols': raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  'sends the status 999': raw('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nhi'),
};
const NAMES = Object.keys(HOSTILE);
const hostAt = (at: number) => `hostile-${at}.example.org`;
const GOOD = 'good.example.org';

describe('a site that', () => {
  let site: Site;
  let server: TestServer;
  let key: string;
  let answers: readonly Response[];
  before(async () => {
    site = await startSite((request, response) => {
      response.on('error', () => undefined);
      const hostile = HOSTILE[NAMES.find((_, at) => hostAt(at) === request.headers.host) ?? ''];
      if (hostile) hostile(request.url ?? '', response);
      else if (request.url === '/i.svg') response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(svg());
      else response.writeHead(200, { 'Content-Type': 'text/html' }).end(links('/i.svg'));
    });
    const hosts = [GOOD, ...NAMES.map((_, at) => hostAt(at))];
    const origins = hosts.map((host) => `${host}=${site.origin}`).join();
    server = await startServer({ SITE_ICONS: 'on', SITE_ICON_ORIGINS: origins });
    key = await server.key();
    answers = await Promise.all(NAMES.map((_, at) => logo(hostAt(at))));
  });
  after(async () => {
    await server.close();
    await site.close();
  });

  const logo = (host: string) => server.get(`/v1/logo/${host}?fallback=site,monogram&format=svg`, key);

  for (const [at, name] of NAMES.entries())
    it(`${name} gets its monogram`, async () => {
      const answer = answers[at];
      expect([answer?.status, answer?.headers.get('x-blazon-fallback')]).to.deep.equal([200, 'monogram']);
      expect(await answer?.text()).to.match(/^<svg/);
    });

  it('is friendly gets its icon after all of these', async () => {
    await eventually(async () => (await logo(GOOD)).headers.get('x-blazon-fallback') === 'site', 'the icon');
  });
});
