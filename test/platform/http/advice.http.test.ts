// Advice in the errors that new users often get. Following the advice must solve the problem.
import { expect } from 'chai';
import { suiteServer } from '../../support/server.js';
import { expectError } from '../../support/expect-error.js';

const UNKNOWN = 'zzqxj';

describe('advice in errors', () => {
  const server = suiteServer();
  let key: string;
  before(async () => (key = await server.key()));
  const messageOf = async (path: string, caller = key) =>
    String((await expectError(await server.get(path, caller), 404, 'not_found')).message);

  const OF_SLUGS: readonly string[] = [
    ...['/v1/svg/{slug}', '/v1/png/{slug}', '/v1/webp/{slug}', '/v1/catalog/{slug}'],
    ...['/v1/favicon/{slug}/favicon.ico', '/r/{slug}.json'],
  ];
  for (const route of OF_SLUGS) {
    it(`${route} suggests existing slugs for a misspelled one, and no search for an unlike one`, async () => {
      const misspelled = await messageOf(route.replace('{slug}', 'gihtub'));
      const [, suggested = ''] = /Did you mean (.+)\?$/.exec(misspelled) ?? [];
      expect(suggested.split(', ')).to.include('github');
      for (const slug of suggested.split(', ')) expect((await server.get(`/v1/svg/${slug}`, key)).status).to.equal(200);
      for (const slug of [UNKNOWN, 'walmart']) {
        const message = await messageOf(route.replace('{slug}', slug));
        expect(message)
          .to.include(`"${slug}"`)
          .and.not.match(/search|did you mean/i);
      }
    });
  }

  it('suggests own brands only to their account', async () => {
    const { apiKey } = await server.customer('pro');
    const put = (path: string, type: string, body: string) =>
      fetch(`${server.base}/v1/brands/${path}`, {
        method: 'PUT',
        headers: { 'X-API-Key': apiKey, 'Content-Type': type },
        body,
      });
    await put('zquaxo', 'application/json', JSON.stringify({ title: 'Zquaxo' }));
    const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
    await put('zquaxo/variants/default', 'image/svg+xml', square);
    expect(await messageOf('/v1/svg/zquax', apiKey)).to.include('Did you mean zquaxo?');
    expect(await messageOf('/v1/svg/zquax')).not.to.include('zquaxo');
  });

  it('names `fallback` if a picture is missing, and it then works', async () => {
    for (const path of [
      '/v1/logo/walmart.com',
      '/v1/svg/walmart',
      '/v1/png/walmart',
      '/v1/strip?icons=github,walmart',
    ]) {
      const [advice = ''] = /fallback=\w+/.exec(await messageOf(path)) ?? [];
      expect(advice, path).to.equal('fallback=monogram');
      const answer = await server.get(`${path}${path.includes('?') ? '&' : '?'}${advice}`, key);
      expect(answer.status, path).to.equal(200);
    }
  });

  it('leads from a domain instead of a slug to the route for domains', async () => {
    const [, path = ''] = /GET (\S+)/.exec(await messageOf('/v1/svg/github.com')) ?? [];
    expect((await server.get(path, key)).headers.get('x-blazon-slug')).to.equal('github');
  });

  it('looks for no similar names for a wrong key', async () => {
    const wrong = await server.get('/v1/svg/gihtub', `${key.slice(0, -1)}~`);
    const { message } = await expectError(wrong, 401, 'invalid_api_key');
    expect(message).not.to.include('github');
  });

  it('explains that only a secret key is forbidden in a URL', async () => {
    const response = await server.get(`/v1/svg/github?api_key=${key}`);
    const { message } = await expectError(response, 400, 'invalid_request');
    expect(message).to.include('secret keys are not allowed in URLs').and.include('publishable key (blzp_…)');
  });

  it('explains a burst: how many requests a second, and how long to wait', async () => {
    const customer = await server.key('free');
    // Each search costs 7 tokens of the burst, and the tier `free` gets 50 tokens per second.
    const search = () => server.get('/v1/search?q=git&limit=100', customer);
    const answers = await Promise.all(Array.from({ length: 60 }, search));
    const limited = answers.find(({ status }) => status === 429);
    if (limited === undefined) return expect.fail('no answer is 429');
    const seconds = Number(limited.headers.get('retry-after'));
    const { message } = await expectError(limited, 429, 'rate_limited');
    expect(message).to.equal(
      'Too many requests per second: your plan allows 50, and an expensive request counts more than once. ' +
        `Wait ${seconds} second${seconds === 1 ? '' : 's'}, then send requests more slowly.`,
    );
  });
});
