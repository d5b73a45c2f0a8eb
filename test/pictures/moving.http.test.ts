// Example URLs of other services in the documents and the dashboard, and the Blazon URLs that replace them.
import { expect } from 'chai';
import { openApiDocument } from '../../src/platform/http/openapi/document.js';
import { compatRoutes } from '../../src/compat/compat.routes.js';
import { compatPath } from '../support/compat-addresses.js';
import { pageKey } from '../support/page-keys.js';
import { limitsText } from '../../src/accounts/limits-text.js';
import { readPlans } from '../../config/plans.js';
import { suiteServer } from '../support/server.js';

interface Replaced {
  readonly service: string;
  readonly address: string;
  readonly here: string;
}

const { paths } = openApiDocument({
  ...{ routes: compatRoutes, version: '0', publicUrl: 'http://localhost', limits: limitsText(readPlans()) },
}) as { readonly paths: Readonly<Record<string, { readonly get: { readonly 'x-replaces'?: Replaced } }>> };

describe('examples of addresses of other services', () => {
  const server = suiteServer();

  it('exist for every route that replaces one, and both URLs work', async () => {
    const key = (await pageKey(server)).raw;
    for (const [path, { get }] of Object.entries(paths)) {
      const replaced = get['x-replaces'];
      if (!replaced) throw new Error(`${path} has no example.`);
      const { address, here } = replaced;
      const [, , , service = ''] = path.split('/');
      for (const each of [here.replace('{publishableKey}', key), compatPath({ service, address }, key)]) {
        const answer = await server.get(each);
        await answer.arrayBuffer();
        expect(answer.status, each).to.equal(200);
      }
    }
  });

  it('omit ignored parts', () => {
    const here = (path: string) => paths[path]?.get['x-replaces']?.here;
    expect(here('/compat/{publishableKey}/logodev/{domain}')).to.equal('/compat/{publishableKey}/logodev/stripe.com');
    expect(here('/compat/{publishableKey}/google/faviconV2')).to.equal(
      '/compat/{publishableKey}/google/faviconV2?url=https://github.com&size=32',
    );
  });
});
