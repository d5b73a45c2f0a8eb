// Keys with a valid checksum that belong to no account: their responses must not depend on the catalog.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { newApiKey } from '../../src/accounts/api-key.js';
import { suiteServer } from '../support/server.js';

describe('an unverified key', () => {
  const server = suiteServer();

  it('is neither repeated nor logged, even if the path has a right one', async () => {
    const { apiKey, accessToken } = await server.customer();
    for (const path of [
      `/v1/svg/${apiKey}`,
      `/v1/svg/${apiKey}.svg`,
      `/v1/catalog/${apiKey}`,
      `/${apiKey}`,
      `/auth/${accessToken}`,
      `/auth/sessions/${accessToken}`,
    ]) {
      const response = await server.get(path, path.startsWith('/v1') ? apiKey : undefined);
      expect(response.status, path).to.be.within(400, 405);
      const text = (await response.text()).toLowerCase();
      expect(text).to.not.include(apiKey.toLowerCase());
      expect(text).to.not.include(accessToken.toLowerCase());
    }
    // The log is not checked here, because closing the test server checks that its log contains no secrets.
  });

  it('gets the same response for every slug: existing, private, missing, or impossible to draw', async () => {
    const customer = await server.key();
    const strangers = [newApiKey('AccountId012' as AccountId).raw, newApiKey(customer.slice(4, 16) as AccountId).raw];
    const heard = new Set<string>();
    for (const [path, status] of [
      ['/v1/svg/github', 200],
      ['/v1/svg/no-such-brand', 404],
      ['/v1/svg/nodedotjs', 308],
      ['/v1/svg/google?color=f00', 422],
      ['/v1/svg/github?variant=no-such-variant', 400],
      ['/v1/svg/github?v=0123456789ab', 308],
      ['/v1/png/no-such-brand?fallback=monogram', 200],
      ['/v1/catalog/github', 200],
      ['/v1/catalog/no-such-brand', 404],
      ['/v1/catalog/nodedotjs', 308],
      ['/v1/logo/github.com', 200],
      ['/v1/logo/no-such-brand-at-all.example.com', 404],
      ['/v1/logo/google.com?color=f00', 422],
      ['/v1/logo/no-such-brand-at-all.example.com?fallback=monogram', 200],
      ['/v1/brand?domain=github.com', 200],
      ['/v1/brand?domain=no-such-brand-at-all.example.com', 404],
      ['/v1/search?q=github', 200],
    ] as const) {
      expect((await server.get(path, customer)).status, path).to.equal(status);
      for (const stranger of strangers) {
        for (const headers of [{}, { 'If-None-Match': '*' }]) {
          const response = await server.get(path, stranger, headers);
          expect(response.status, path).to.equal(401);
          const fields = [...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
          heard.add(JSON.stringify([fields, await response.text()]));
        }
      }
    }
    expect([...heard]).to.have.length(1);
  });
});
