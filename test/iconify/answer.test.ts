// ETag of an Iconify response: it changes when the catalog or its index changes.
import { expect } from 'chai';
import { iconifyAnswer } from '../../src/iconify/answer.routes.js';
import { allowMemoization } from '../../src/platform/http/response/memoize.js';

describe('an answer of the Iconify protocol', () => {
  it('has another tag and is rebuilt when the catalog or its index has another version', async () => {
    const answers = { version: '1' };
    let version = 'before';
    const services = {
      iconify: { peek: () => answers, current: async () => answers },
      catalogVersion: () => version,
      taggedCodings: () => ({ known: () => undefined, encode: async () => undefined }),
    } as never;
    const query = {};
    allowMemoization(query);
    const ask = async () =>
      iconifyAnswer({ query, catalog: {} as never }, services, ['search'], () => ({ body: () => '' }));
    const first = await ask();
    expect(await ask()).to.equal(first);
    version = 'after';
    const second = await ask();
    expect(second).not.to.equal(first);
    expect(second.etag).not.to.equal(first.etag);
  });
});
