// Searches for icons at sites that are slow, hostile, or spread over several hosts.
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import type { FindOutcome, IconSource } from '../../src/site-icons/find-icon.js';
import { makeCertificate } from '../support/certificate.js';
import { openFinder, type TestFinder } from './finder.js';
import { png, startSite, svg, type Site } from './sites.js';

const ACCOUNT = 'account' as AccountId;
const ICON = '<head><link rel=icon href=/i.svg></head>';

describe('the search for an icon', () => {
  let site: Site;
  let other: Site;
  let finder: TestFinder;
  before(async () => {
    [site, other] = await Promise.all([startSite({}), startSite({})]);
    finder = openFinder([
      `site.example=${site.origin}`,
      `www.bare.example=${site.origin}`,
      `other.example=${other.origin}`,
    ]);
  });
  after(async () => {
    await finder.close();
    await Promise.all([site.close(), other.close()]);
  });
  beforeEach(() => {
    site.requests.splice(0);
    other.requests.splice(0);
  });

  const find = (host: string, known?: IconSource): Promise<FindOutcome> =>
    finder.find({ host, known, accountId: ACCOUNT, signal: new AbortController().signal });
  const sourceOf = (found: FindOutcome): string => (found.kind === 'found' ? found.icon.source.url : found.kind);

  it('follows redirects and icons to other hosts', async () => {
    site.answer({ '/': '<head><link rel=icon href=//other.example/i.svg></head>' });
    other.answer({ '/i.svg': svg() });
    expect(sourceOf(await find('site.example'))).to.equal('https://other.example/i.svg');
    site.answer((_, response) => void response.writeHead(302, { Location: 'https://other.example/start' }).end());
    other.answer({ '/start': ICON, '/i.svg': svg() });
    expect(sourceOf(await find('site.example'))).to.equal('https://other.example/i.svg');
  });

  it('asks www if the bare host does not answer', async () => {
    site.answer({ '/': ICON, '/i.svg': svg() });
    expect(sourceOf(await find('bare.example'))).to.equal('https://www.bare.example/i.svg');
  });

  it('rejects redirects and icons at addresses that are not public', async () => {
    const inside = await startSite({ '/i.svg': svg(), '/': ICON });
    const { port } = new URL(inside.origin);
    for (const url of [`http://127.0.0.1:${port}/i.svg`, 'http://169.254.169.254/i.svg', 'http://[::1]/i.svg']) {
      site.answer({ '/': `<head><link rel=icon href="${url}"><link rel=manifest href="${url}"></head>` });
      expect((await find('site.example')).kind, url).to.equal('none');
      site.answer((_, response) => void response.writeHead(302, { Location: url }).end());
      expect((await find('site.example')).kind, url).to.equal('failed');
    }
    expect(inside.requests).to.deep.equal([]);
    await inside.close();
  });

  it('ends after five seconds at a site that drips', async () => {
    site.answer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    expect((await find('site.example')).kind).to.equal('failed');
  });

  it('uses a page as soon as its head is complete, though the rest drips', async () => {
    site.answer((request, response) => {
      if (request.url !== '/') return void response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(svg());
      response.writeHead(200, { 'Content-Type': 'text/html' }).write(ICON);
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    expect(sourceOf(await find('site.example'))).to.equal('https://site.example/i.svg');
  });

  it('asks whether a known icon has changed, and only searches if so', async () => {
    site.answer((request, response) => {
      if (request.url === '/') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(ICON);
      if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304).end();
      response.writeHead(200, { 'Content-Type': 'image/svg+xml', ETag: '"1"' }).end(svg());
    });
    const found = await find('site.example');
    if (found.kind !== 'found') throw new Error(found.kind);
    expect(found.icon.source.etag).to.equal('"1"');
    site.requests.splice(0);
    expect((await find('site.example', found.icon.source)).kind).to.equal('unchanged');
    expect(site.requests).to.deep.equal(['/i.svg']);
    expect((await find('site.example', { ...found.icon.source, etag: '"0"' })).kind).to.equal('found');
  });

  it('fails politely at servers with self-signed certificates, or with HTTP/2 only', async function () {
    const certificate = makeCertificate();
    if (!certificate) return this.skip();
    const [key, cert] = [certificate.key, certificate.certificate].map((path) => readFileSync(path));
    const servers: Server[] = [
      https.createServer({ key, cert }, (_, response) => response.end(ICON)),
      http2.createSecureServer({ key, cert, allowHTTP1: false }),
    ];
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const own = openFinder([`tls.example=https://127.0.0.1:${port}`]);
      const found = await own.find({ host: 'tls.example', accountId: ACCOUNT, signal: new AbortController().signal });
      expect(found).to.deep.equal({ kind: 'failed', failure: 'unreachable' });
      await own.close();
      server.close();
    }
    certificate.remove();
  });

  it('stops when the service ends', async () => {
    const ending = new AbortController();
    site.answer(() => ending.abort());
    const found = await finder.find({ host: 'site.example', accountId: ACCOUNT, signal: ending.signal });
    expect(found).to.deep.equal({ kind: 'failed', failure: 'aborted' });
  });

  it('survives a bitmap that ends its process', async () => {
    // The header states more pixels than any memory can hold.
    const bomb = Buffer.from(await png(64));
    bomb.writeUInt32BE(0x7fff_ffff, 16);
    bomb.writeUInt32BE(0x7fff_ffff, 20);
    site.answer({ '/': '<head><link rel=icon href=/bomb.png></head>', '/bomb.png': bomb });
    expect((await find('site.example')).kind).to.equal('none');
    site.answer({ '/': '<head><link rel=icon href=/i.png></head>', '/i.png': await png(64) });
    expect(sourceOf(await find('site.example'))).to.equal('https://site.example/i.png');
  });
});
