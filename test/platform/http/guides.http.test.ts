// The guides over HTTP: every document in docs/ for users and operators, with working links.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { GUIDE_NAMES, readGuide } from '../../../src/platform/http/pages/guides.js';
import { ROOT } from '../../support/service-process.js';
import { suiteServer } from '../../support/server.js';

/** Documents in docs/ that are not served, because they are for developers of Blazon. */
const NOT_SERVED = ['catalog-quality'];

describe('the guides', () => {
  const server = suiteServer();
  const page = async (name: string) => {
    const response = await server.get(`/docs/guides/${name}`);
    expect(response.status, name).to.equal(200);
    return response.text();
  };

  it('are all pages of docs/', () => {
    const names = readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.slice(0, -3));
    expect([...GUIDE_NAMES].sort()).to.deep.equal(names.filter((name) => !NOT_SERVED.includes(name)).sort());
  });

  it('link to each other, to headings that exist, and to pictures', async () => {
    const pages = new Map(await Promise.all(GUIDE_NAMES.map(async (name) => [name, await page(name)] as const)));
    for (const [name, html] of pages) {
      expect(html).to.match(/<h1 id="[^"]+">/);
      expect(html, name).not.to.match(/\{\{|href="[^"]*\.md/);
      for (const [, target = '', anchor] of html.matchAll(/href="\/docs\/guides\/([\w-]+)(?:#([^"]+))?"/g)) {
        expect(pages.has(target), `${name} → ${target}`).to.equal(true);
        if (anchor !== undefined) expect(pages.get(target), `${name} → ${target}`).to.include(`id="${anchor}"`);
      }
      for (const [, anchor = ''] of html.matchAll(/href="#([^"]+)"/g))
        if (anchor !== 'main') expect(html, name).to.include(`id="${anchor}"`);
      for (const [, picture = ''] of html.matchAll(/<img src="(\/docs\/guides\/[^"]+)"/g))
        expect((await server.get(picture)).headers.get('content-type'), picture).to.equal('image/png');
    }
  });

  it("show examples with the service's own address", () => {
    for (const name of GUIDE_NAMES) {
      const { html } = readGuide(name, 'https://logos.test');
      expect(html, name).not.to.match(/localhost:3000|\/\/icons\.example\//);
    }
    expect(readGuide('getting-started', 'https://logos.test').html).to.include('export BLAZON=https://logos.test');
  });

  it('tell owners of sites how to have an icon removed, with a contact if there is one', async () => {
    const ownerText = (contact: string | null) =>
      readGuide('site-icons', 'https://logos.test', contact).html.split('id="if-you-own-a-site"')[1];
    expect(ownerText('mailto:a@b.test')).to.include('<a href="mailto:a@b.test">mailto:a@b.test</a>');
    expect(ownerText('tel:+1-201-555-0123')).to.include('href="tel:+1-201-555-0123"');
    expect(ownerText(null)).to.include('Contact: the operator has not published one.');
    for (const contact of ['mailto:a@b.test', null]) expect(ownerText(contact)).to.not.include('icons.example');
    expect(await page('site-icons')).to.include('Contact: the operator has not published one.');
  });

  it('are 404 for other names, and 304 for a browser that has them', async () => {
    for (const name of ['nothing', 'catalog-quality', '..%2FSECURITY', 'constructor'])
      expect((await server.get(`/docs/guides/${name}`)).status, name).to.equal(404);
    const { headers } = await server.get('/docs/guides');
    const again = await server.get('/docs/guides', undefined, { 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).to.equal(304);
  });
});
