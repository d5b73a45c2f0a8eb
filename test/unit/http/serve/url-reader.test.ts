import type { RouterContext } from '@koa/router';
import { expect } from 'chai';
import { z } from 'zod';
import { memoizeByUrl } from '../../../../src/http/response/memoize.js';
import type { Route } from '../../../../src/http/route.js';
import { UrlReader } from '../../../../src/http/serve/url-reader.js';

const ROUTE = { auth: 'none', query: z.strictObject({ width: z.string() }) } as unknown as Route;
const CONTEXT = { params: {} } as RouterContext;
const urlOf = (width: number) => `/picture?width=${width}`;

describe('UrlReader', () => {
  it('caches a URL that is requested again', () => {
    const urls = new UrlReader(ROUTE);
    const [first, second, third] = [1, 2, 3].map(() => urls.read(CONTEXT, urlOf(64)));
    expect(first).to.deep.equal({ key: undefined, params: {}, query: { width: '64' } });
    expect(second).to.deep.equal(first);
    expect(third).to.equal(second);
    expect(urls.isKnown(urlOf(64))).to.equal(true);
  });

  it('keeps it while a client requests ten thousand others once', () => {
    const urls = new UrlReader(ROUTE);
    urls.read(CONTEXT, urlOf(64));
    const cached = urls.read(CONTEXT, urlOf(64));
    for (let width = 100; width < 10_100; width++) urls.read(CONTEXT, urlOf(width));
    expect(urls.read(CONTEXT, urlOf(64))).to.equal(cached);
    expect(urls.isKnown(urlOf(100))).to.equal(false);
  });

  it('lets answers be cached for URLs that are', async () => {
    const urls = new UrlReader(ROUTE);
    const memoize = memoizeByUrl<number>();
    let made = 0;
    const answer = () => memoize(urls.read(CONTEXT, urlOf(64)).query, 'version', () => Promise.resolve(++made));
    const answers: number[] = [];
    for (let time = 0; time < 4; time++) answers.push(await answer());
    expect(answers).to.deep.equal([1, 2, 2, 2]);
  });
});
