// `blazon site-icons`, while a service runs.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { startServer, type TestServer } from '../support/server.js';
import { startSite, svg, type Site } from './sites.js';

const HOST = 'commands.example.org';
/**
 * Time by which the clock advances after a command, ms. Cached records then expire, so the service reads the changed
 * record.
 */
const NOTICED_MS = 31_000;

describe('blazon site-icons', () => {
  let site: Site;
  let server: TestServer;
  let key: string;
  let nowMs = Date.now();
  before(async () => {
    site = await startSite({ '/': '<link rel=icon href=a.svg>', '/a.svg': svg() });
    server = await startServer({ SITE_ICONS: 'on', SITE_ICON_ORIGINS: `${HOST}=${site.origin}` }, () => nowMs);
    key = await server.key();
  });
  after(async () => {
    await server.close();
    await site.close();
  });

  const command = (...words: string[]) => runCli('site-icons', words, { DATA_DIR: server.dataDir });
  /** Returns the fallback that the service uses after it has noticed the last command. */
  async function shown(): Promise<string | null> {
    nowMs += NOTICED_MS;
    return (await logo()).headers.get('x-blazon-fallback');
  }
  const logo = () => server.get(`/v1/logo/${HOST}?fallback=site,monogram&format=svg`, key);

  it('lists, shows, blocks, unblocks, refreshes and removes', async () => {
    expect((await command('list')).stdout).to.equal('');
    expect(await shown()).to.equal('site');
    expect((await command('list', 'COMMANDS')).stdout).to.match(/^commands\.example\.org +found .*https:\/\/commands/m);
    expect((await command('list', 'other')).stdout).to.equal('');
    const { stdout } = await command('show', `https://www.${HOST}/`, '--json');
    expect(JSON.parse(stdout)).to.deep.include({
      host: HOST,
      state: 'found',
      source: `https://${HOST}/a.svg`,
      form: 'drawing',
    });

    expect((await command('block', HOST)).status).to.equal(0);
    const before = site.requests.length;
    expect(await shown()).to.equal('monogram');
    expect(site.requests).to.have.length(before);
    expect((await command('remove', HOST)).stderr).to.include('is blocked');
    expect((await command('unblock', HOST)).status).to.equal(0);
    expect(await shown()).to.equal('site');

    site.answer({ '/': '<link rel=icon href=b.svg>', '/b.svg': svg('#008000') });
    expect((await command('refresh', HOST)).status).to.equal(0);
    expect(await shown(), 'the stored icon, while it is fetched').to.equal('site');
    await eventually(async () => (await (await logo()).text()).includes('#008000'), 'new icon');
    expect((await command('remove', HOST)).status).to.equal(0);
    expect(await shown()).to.equal('site');
    expect(site.requests.filter((path) => path === '/b.svg')).to.have.length(2);
  });

  it('rejects hosts that are not stored, and texts that are no host', async () => {
    for (const [words, message] of [
      [['show', 'other.example'], /Nothing is stored about other\.example/],
      [['unblock', HOST], /is not blocked/],
      [['block', '%'], /is not a host name/],
    ] as const) {
      const { status, stderr } = await command(...words);
      expect(status, words.join(' ')).to.equal(1);
      expect(stderr).to.match(message);
    }
  });
});
