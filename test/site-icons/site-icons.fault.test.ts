// A real process that is killed or stopped while it fetches the icon of a site.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { registerAt, serviceFolder, startService } from '../support/service-process.js';
import { startSite, svg, type Site } from './sites.js';

const HOST = 'killed.example.org';
const ICON = { '/': '<link rel=icon href=a.svg>', '/a.svg': svg() };

describe('kill -9 in the middle of a fetch', () => {
  const dataDir = serviceFolder();
  let site: Site;
  before(async () => void (site = await startSite({})));
  after(() => site.close());

  it('leaves nothing behind, and the next request fetches the icon', async () => {
    const variables = { DATA_DIR: dataDir(), SITE_ICONS: 'on', SITE_ICON_ORIGINS: `${HOST}=${site.origin}` };
    const first = await startService(variables);
    const { apiKey } = await registerAt(first.base);
    const logo = (base: string) =>
      fetch(`${base}/v1/logo/${HOST}?fallback=site,monogram&format=svg`, { headers: { 'X-API-Key': apiKey } });
    site.answer(() => undefined);
    const pending = logo(first.base).catch(() => undefined);
    await eventually(async () => site.requests.length > 0, 'request to the site');
    await first.kill();
    await pending;
    site.answer(ICON);
    const { base } = await startService(variables);
    const answer = await logo(base);
    expect(answer.headers.get('x-blazon-fallback')).to.equal('site');
  });
});

describe('a stop in the middle of a fetch behind an answer', () => {
  const dataDir = serviceFolder();
  let site: Site;
  before(async () => void (site = await startSite({})));
  after(() => site.close());

  it('says nothing about the site, so that the next request fetches the icon', async () => {
    const variables = { DATA_DIR: dataDir(), SITE_ICONS: 'on', SITE_ICON_ORIGINS: `${HOST}=${site.origin}` };
    const first = await startService(variables);
    const { apiKey } = await registerAt(first.base);
    const fallbackAt = async (base: string, query = ''): Promise<string | null> => {
      const url = `${base}/v1/logo/${HOST}?fallback=site,monogram&format=svg${query}`;
      return (await fetch(url, { headers: { 'X-API-Key': apiKey } })).headers.get('x-blazon-fallback');
    };
    site.answer(() => undefined);
    expect(await fallbackAt(first.base, '&wait=0')).to.equal('monogram');
    await eventually(async () => site.requests.length > 0, 'request to the site');
    first.child.kill('SIGTERM');
    expect(await first.exit).to.equal(0);
    site.answer(ICON);
    const { base } = await startService(variables);
    expect(await fallbackAt(base)).to.equal('site');
  });
});
