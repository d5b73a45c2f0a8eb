// Missing names: every route that looks up a name counts a name that does not exist, if the key is valid.
import { expect } from 'chai';
import { missingReport } from '../../src/missing-names/missing-names.js';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import { eventually, OWN_PAGE } from '../support/auth.js';
import { pageKey } from '../support/page-keys.js';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

/** Name in the last request. When this name is stored, the names of all requests are stored. */
const LAST = 'example.com';

describe('names that are not found', () => {
  const server = suiteServer();
  /**
   * Report about the names in all requests. The requests are sent once for all tests, because the service stores names
   * only some seconds later.
   */
  let names: ReturnType<typeof missingReport>;
  const named = (pattern: RegExp) => names.filter(({ name }) => pattern.test(name)).map(({ name }) => name);
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    fetch(server.base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  before(async () => {
    await requestAllKinds();
    await requestWrongly();
    await requestInSets();
    await requestFromOtherServices();
    await reportFromPages();
    names = await eventually(async () => {
      const report = missingReport(await server.stores.missingNames.range(ALL_DAYS));
      return report.some(({ name }) => name === LAST) ? report : undefined;
    }, LAST);
  });

  async function requestAllKinds(): Promise<void> {
    const [key, other] = [await server.key(), await server.key()];
    const paths = [
      '/v1/svg/no-such-slug',
      '/v1/png/No-Such-Slug?fallback=monogram&size=16',
      '/v1/webp/no-such-slug?fallback=transparent&size=16',
      '/v1/catalog/no-such-slug',
      '/v1/logo/shop.no-such-domain.com',
      '/v1/logo/no-such-domain.com?fallback=monogram&format=svg',
      '/v1/brand?url=https://no-such-domain.com/about',
      '/v1/brand?email=ada@no-such-domain.com',
      // The service must not count these hosts: they are in private networks, or are public suffixes.
      ...['nas.local', 'no-such-host', '10.0.0.7', 'co.uk'].flatMap((host) => [
        `/v1/brand?domain=${host}`,
        `/v1/logo/${host}`,
        `/v1/logo/${host}?fallback=monogram&format=svg`,
      ]),
      '/v1/brand?name=No%20such%20brand',
      '/v1/search?q=qqqqzzzz',
      '/v1/favicon/no-such-icon/favicon.ico',
      '/v1/favicon/shop.no-such-icon.com/icon.svg',
    ];
    for (const path of paths) await (await server.get(path, key)).arrayBuffer();
    for (let time = 0; time < 2; time++)
      await (await server.get('/v1/logo/no-such-domain.com?fallback=monogram&format=svg', other)).arrayBuffer();
    await post('/v1/catalog/batch', { slugs: ['github', 'no-such-slug', 'no-such-last-slug'] }, { 'X-API-Key': key });
  }

  it('are counted by kind, with the number of accounts', () => {
    const counts = names
      .filter(({ name }) => /^no.such|^qqqq/.test(name))
      .map(({ kind, name, accounts, requests }) => [kind, name, accounts, requests]);
    expect(counts).to.have.deep.members([
      ['domain', 'no-such-domain.com', 2, 6],
      ['slug', 'no-such-slug', 1, 5],
      ['name', 'no such brand', 1, 1],
      ['name', 'qqqqzzzz', 1, 1],
      ['slug', 'no-such-last-slug', 1, 1],
      ['slug', 'no-such-icon', 1, 1],
      ['domain', 'no-such-icon.com', 1, 1],
    ]);
    expect(names[0]).to.include({ name: 'no-such-domain.com' });
    expect(names.filter(({ name }) => !/^(?:no.such|qqqq|icon-[a-e]$|compat-[a-d]\b)/.test(name))).to.have.length(2);
  });

  async function requestWrongly(): Promise<void> {
    const key = await server.key();
    const wrong = `${key.slice(0, 20)}${(await server.key()).slice(20)}`;
    await server.get('/v1/svg/wrong-key', wrong);
    await server.get('/v1/logo/wrong-key.com', wrong);
    for (const path of [
      '/v1/svg/github?fallback=monogram',
      '/v1/search?q=github&category=no-such-category',
      '/v1/svg/github?variant=no-such-variant',
      `/v1/svg/${'x'.repeat(60)}`,
    ])
      await (await server.get(path, key)).arrayBuffer();
  }

  it('are not counted for a wrong key, for found names, and for names that filters exclude', () => {
    expect(named(/^(?:wrong|github|x{9})|category|variant/)).to.deep.equal([]);
  });

  async function requestInSets(): Promise<void> {
    const { raw, apiKey } = await pageKey(server);
    for (const path of [
      `/iconify/${raw}/blazon.json?icons=github,icon-a,icon-a,icon-b`,
      `/iconify/${raw}/blazon/icon-c.svg`,
      `/iconify/${raw}/blazon-mono.json?icons=not-counted`,
    ])
      await (await server.get(path)).arrayBuffer();
    await (await server.get('/v1/strip?icons=github,icon-d,icon-e&fallback=monogram', apiKey)).arrayBuffer();
  }

  it("are counted for the catalog's set in the Iconify protocol, and for strips", () => {
    expect(
      names.filter(({ name }) => /^(?:icon-|not)/.test(name)).map(({ kind, name, requests }) => [kind, name, requests]),
    ).to.have.deep.members(['a', 'b', 'c', 'd', 'e'].map((letter) => ['slug', `icon-${letter}`, 1]));
  });

  async function requestFromOtherServices(): Promise<void> {
    const { raw } = await pageKey(server);
    const paths = [
      'clearbit/compat-a.com',
      'google/s2/favicons?domain=compat-b.com',
      'logodev/compat-c.com',
      'simpleicons/compat-d',
      'logodev/compat-private.local',
      'brandfetch/compat-private.local/icon.png',
    ];
    for (const path of paths) await (await server.get(`/compat/${raw}/${path}`)).arrayBuffer();
  }

  it('are counted for URLs of other services', () => {
    expect(named(/^compat-/)).to.have.members(['compat-a.com', 'compat-b.com', 'compat-c.com', 'compat-d']);
  });

  const report = (name: unknown) => post('/dashboard/missing', { name }, OWN_PAGE);

  async function reportFromPages(): Promise<void> {
    for (const name of ['Grandma’s Bakery', 'https://www.bakery.example.com/menu'])
      expect((await report(name)).status, name).to.equal(204);
  }

  it('are reported by pages of this service, even by visitors', async () => {
    expect(names.find(({ name }) => name === 'grandma’s bakery')).to.include({
      kind: 'name',
      accounts: 1,
      requests: 1,
    });
    for (const name of ['', '?', 'x'.repeat(61)]) await expectInvalid(await report(name), 'name');
    await expectError(await report(7), 400, 'invalid_request');
    await expectError(
      await post('/dashboard/missing', { name: 'acme' }, { Origin: 'https://elsewhere.example' }),
      403,
      'forbidden',
    );
  });
});
