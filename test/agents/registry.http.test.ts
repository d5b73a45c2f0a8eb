// GET /r/registry.json and /r/{name}.json
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

interface Item {
  readonly name: string;
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly type: string; readonly content: string }[];
  readonly meta: Readonly<Record<string, string>>;
}

describe('the registry of components', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  const get = (path: string, headers: Record<string, string> = {}) => server.get(path, key, headers);
  const item = async (path: string) => (await (await get(path)).json()) as Item;

  it('has components of an entry and of its variants', async () => {
    const github = await item('/r/github.json');
    expect(github).to.deep.include({
      $schema: 'https://ui.shadcn.com/schema/registry-item.json',
      ...{ name: 'github', type: 'registry:component', title: 'GitHub' },
    });
    expect(github.files).to.have.length(1);
    expect(github.files[0]).to.include({ path: 'components/logos/Github.tsx', type: 'registry:component' });
    const { code } = transformSync(github.files[0]!.content, { loader: 'tsx', jsx: 'automatic' });
    expect(code).to.include('currentColor');
    expect((await item('/r/figma-mono.json')).meta).to.include({ slug: 'figma', variant: 'mono' });
    expect((await item('/r/github.json?framework=vue')).files[0]!.path).to.equal('components/logos/Github.vue');
    expect((await item('/r/github.json?framework=svelte')).files[0]!.path).to.equal('components/logos/Github.svelte');
  });

  it('accepts the key in either header, but only one', async () => {
    const bearer = (token: string) => server.get('/r/github.json', undefined, { Authorization: `Bearer ${token}` });
    expect((await bearer(key)).status).to.equal(200);
    await expectError(await bearer('blz_wrong'), 401, 'invalid_api_key');
    await expectError(await get('/r/github.json', { Authorization: `Bearer ${key}` }), 400, 'invalid_request');
  });

  it('answers 304 if the client has the current version', async () => {
    const etag = (await get('/r/github.json')).headers.get('etag')!;
    expect((await get('/r/github.json', { 'If-None-Match': etag })).status).to.equal(304);
    expect((await get('/r/github.json?framework=vue', { 'If-None-Match': etag })).status).to.equal(200);
  });

  it('lists entries by popularity, search results, and pages of the list', async () => {
    const list = async (query: string) => {
      const { items } = (await (await get(`/r/registry.json${query}`)).json()) as { readonly items: readonly Item[] };
      return items.map(({ name }) => name);
    };
    const all = await list('');
    expect(all.length).to.be.greaterThan(5);
    expect(await list('?limit=2&offset=1')).to.deep.equal(all.slice(1, 3));
    expect((await list('?q=github'))[0]).to.equal('github');
  });

  it('rejects unknown names and wrong parameters', async () => {
    await expectError(await get('/r/no-such-brand.json'), 404, 'not_found');
    await expectError(await get('/r/github-nosuchvariant.json'), 404, 'not_found');
    await expectInvalid(await get('/r/github.json?framework=angular'), 'framework');
    await expectInvalid(await get('/r/registry.json?limit=0'), 'limit');
    await expectInvalid(await get('/r/registry.json?offset=x'), 'offset');
  });
});
