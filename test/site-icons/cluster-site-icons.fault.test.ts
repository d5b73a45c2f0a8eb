// Icons of sites with two processes. Both share one fetch. If a process is killed during a fetch, the other process
// fetches the icon.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { describeWithServers } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';
import { startSite, svg, type Site } from './sites.js';

const ICON = { '/': '<link rel=icon href=a.svg>', '/a.svg': svg() };
const hostOf = (name: string): string => `${name}.example.org`;

describeWithServers('icons of sites in two processes', ['mongod', 'redis-server'], () => {
  let site: Site;
  let cluster: ServiceCluster;
  let key: string;
  before(async () => {
    site = await startSite(ICON);
    const origins = ['shared', 'killed'].map((name) => `${hostOf(name)}=${site.origin}`).join();
    cluster = await openServiceCluster({
      ...(await sharedAddresses()),
      variables: { SITE_ICONS: 'on', SITE_ICON_ORIGINS: origins },
    });
    key = (await cluster.customer('internal')).apiKey;
  });
  after(async () => {
    await cluster.close();
    await site.close();
  });
  beforeEach(() => void site.requests.splice(0));

  const fallbackAt = async (base: string, name: string): Promise<string | null> => {
    const path = `/v1/logo/${hostOf(name)}?fallback=site,monogram&format=svg`;
    const answer = await fetch(base + path, { headers: { 'X-API-Key': key } });
    await answer.arrayBuffer();
    return answer.headers.get('x-blazon-fallback');
  };

  it('are fetched once', async () => {
    const bases = cluster.processes.map(({ base }) => base);
    const all = await Promise.all([...bases, ...bases, ...bases].map((base) => fallbackAt(base, 'shared')));
    expect(new Set(all)).to.deep.equal(new Set(['site']));
    expect(site.requests).to.deep.equal(['/', '/a.svg']);
  });

  it('are fetched by the other process if one was killed in the middle', async () => {
    const [one, two] = cluster.processes;
    site.answer(() => undefined);
    const pending = fallbackAt(one.base, 'killed').catch(() => undefined);
    await eventually(async () => site.requests.length > 0, 'request to the site');
    await one.kill();
    await pending;
    site.answer(ICON);
    // Succeeds as soon as the lock of the killed process has expired.
    await eventually(async () => (await fallbackAt(two.base, 'killed')) === 'site', 'icon');
  });
});
