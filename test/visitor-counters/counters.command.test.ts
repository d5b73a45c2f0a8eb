// `npm run counters` while a service runs on the same stores.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { suiteServer } from '../support/server.js';

const HITS = '/v1/public/visitor-counter/example/hits';
const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' };

describe('npm run counters', () => {
  const server = suiteServer();
  const counters = (...words: string[]) => runCli('counters', words, { DATA_DIR: server.dataDir });
  const shown = async () => JSON.parse((await counters('show', 'example', '--json')).stdout) as Record<string, unknown>;
  const hit = async () =>
    (await (await fetch(server.base + HITS, { method: 'POST', headers: BROWSER })).json()) as {
      readonly total: number;
    };

  /** Waits until the service returns this total. The service applies the changes of a command within a few seconds. */
  async function serviceShows(total: number): Promise<void> {
    await eventually(async () => {
      const response = await server.get('/v1/public/visitor-counter/example');
      const counts = (await response.json()) as { readonly total: number };
      return counts.total === total;
    }, `total of ${total}`);
  }

  it('lists, shows, seeds and resets, and the service continues from there', async () => {
    expect(await shown()).to.deep.equal({
      name: 'example',
      ...{ total: 0, today: 0, uniqueToday: 0, seed: 0 },
      origins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
      enabled: true,
      label: 'visitors',
    });
    expect((await hit()).total).to.equal(1);
    const written = await eventually(async () => ((await shown()).total === 0 ? undefined : shown()), 'write');
    expect(written).to.deep.include({ total: 1, today: 1, uniqueToday: 1 });

    const seeded = await counters('seed', 'example', '4711');
    expect(seeded).to.deep.equal({ status: 0, stdout: 'example continues from 4711.\n', stderr: '' });
    expect(await shown()).to.deep.include({ total: 4711, today: 1 });
    await serviceShows(4711);
    expect((await hit()).total).to.equal(4712);

    const { stdout, status } = await counters('list');
    expect(status).to.equal(0);
    expect(stdout).to.match(/^NAME +TOTAL +TODAY +UNIQUE TODAY +SEED +STATE +ORIGINS$/m);
    expect(stdout).to.match(/^example +471\d +\d +1 +0 +enabled +http:\/\/localhost:3000 http:\/\/127\.0\.0\.1:3000$/m);

    const reset = await counters('reset', 'example', '--yes');
    expect(reset).to.deep.equal({ status: 0, stdout: 'example was reset.\n', stderr: '' });
    expect(await shown()).to.deep.include({ total: 0, today: 0, uniqueToday: 0 });
    await serviceShows(0);
    expect((await hit()).total).to.equal(1);
  });

  it('rejects unconfigured names, invalid totals, and an unconfirmed reset', async () => {
    for (const [words, code, message] of [
      [['show', 'other'], 1, /no counter "other"/],
      [['show', 'constructor'], 1, /no counter "constructor"/],
      [['reset', 'other', '--yes'], 1, /no counter "other"/],
      [['reset', 'example'], 2, /--yes/],
      [['seed', 'example', '-1'], 1, /.+/],
      [['seed', 'example', 'many'], 1, /whole number of at least 0/],
    ] as const) {
      const { status, stdout, stderr } = await counters(...words);
      expect([status, stdout], words.join(' ')).to.deep.equal([code, '']);
      expect(stderr, words.join(' ')).to.match(message);
    }
  });
});
