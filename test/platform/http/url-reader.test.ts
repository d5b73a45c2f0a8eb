import type { RouterContext } from '@koa/router';
import { expect } from 'chai';
import { z } from 'zod';
import { memoizeByUrl } from '../../../src/platform/http/response/memoize.js';
import type { Route } from '../../../src/platform/http/route.js';
import { createAddressCache, UrlReader } from '../../../src/serving/url-reader.js';

const ROUTE = { auth: 'none', query: z.strictObject({ width: z.string() }) } as unknown as Route;
const CONTEXT = { params: {} } as RouterContext;
const urlOf = (width: number) => `/picture?width=${width}`;

describe('UrlReader', () => {
  it('caches a URL that is requested again', () => {
    const urls = new UrlReader(ROUTE, createAddressCache(2 ** 23));
    const [first, second, third] = [1, 2, 3].map(() => urls.read(CONTEXT, urlOf(64)));
    expect(first).to.deep.equal({ key: undefined, params: {}, query: { width: '64' } });
    expect(second).to.deep.equal(first);
    expect(third).to.equal(second);
    expect(urls.isKnown(urlOf(64))).to.equal(true);
  });

  it('keeps it while a client requests ten thousand others once', () => {
    const urls = new UrlReader(ROUTE, createAddressCache(2 ** 23));
    urls.read(CONTEXT, urlOf(64));
    const cached = urls.read(CONTEXT, urlOf(64));
    for (let width = 100; width < 10_100; width++) urls.read(CONTEXT, urlOf(width));
    expect(urls.read(CONTEXT, urlOf(64))).to.equal(cached);
    expect(urls.isKnown(urlOf(100))).to.equal(false);
  });

  it('answers each method of an address by its own route', () => {
    const addresses = createAddressCache(2 ** 20);
    const other = { auth: 'none', query: z.strictObject({ width: z.coerce.number() }) } as unknown as Route;
    const [text, number] = [new UrlReader(ROUTE, addresses), new UrlReader(other, addresses)];
    for (let time = 0; time < 3; time++) {
      expect(text.read(CONTEXT, urlOf(64)).query).to.deep.equal({ width: '64' });
      expect(number.read(CONTEXT, urlOf(64)).query).to.deep.equal({ width: 64 });
    }
  });

  it('keeps addresses of all routes within one limit', () => {
    const addresses = createAddressCache(100_000);
    const routes = Array.from({ length: 20 }, () => new UrlReader({ ...ROUTE }, addresses));
    for (const [at, urls] of routes.entries())
      for (let width = 0; width < 20; width++)
        for (let time = 0; time < 2; time++) urls.read(CONTEXT, `/${at}${urlOf(width)}`);
    expect(addresses.cached.calculatedSize).to.be.within(70_000, 75_000);
    for (let width = 0; width < 1000; width++) routes[0]?.read(CONTEXT, urlOf(width));
    expect(addresses.requestedOnce.calculatedSize).to.be.within(20_000, 25_000);
  });

  it('lets responses be cached for cached URLs', async () => {
    const urls = new UrlReader(ROUTE, createAddressCache(2 ** 23));
    const memoize = memoizeByUrl<number>();
    let made = 0;
    const answer = () => memoize(urls.read(CONTEXT, urlOf(64)).query, 'version', () => Promise.resolve(++made));
    const answers: number[] = [];
    for (let time = 0; time < 4; time++) answers.push(await answer());
    expect(answers).to.deep.equal([1, 2, 2, 2]);
  });
});
