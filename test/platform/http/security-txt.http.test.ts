// GET /.well-known/security.txt, and headers that depend on PUBLIC_URL.
import { expect } from 'chai';
import { suiteServer } from '../../support/server.js';

const PATH = '/.well-known/security.txt';

describe('security.txt', () => {
  const now = () => Date.UTC(2026, 4, 1, 12);
  const server = suiteServer({ SECURITY_CONTACT: 'mailto:security@icons.example, https://icons.example/report' }, now);

  it('names the contacts, in their order, until a day that moves on (RFC 9116)', async () => {
    const response = await server.get(PATH);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect((await response.text()).split('\n')).to.deep.equal([
      '# To have the icon of your site removed: https://icons.example/docs/guides/site-icons#if-you-own-a-site',
      'Contact: mailto:security@icons.example',
      'Contact: https://icons.example/report',
      'Expires: 2026-10-28T00:00:00.000Z',
      `Canonical: https://icons.example${PATH}`,
      '',
    ]);
  });
});

describe('a deployment without https and without a contact', () => {
  const server = suiteServer({ PUBLIC_URL: 'http://localhost:3000' });

  it('has no security.txt and no headers about https', async () => {
    const response = await server.get(PATH);
    expect(response.status).to.equal(404);
    expect(await response.json()).to.have.property('error', 'route_not_found');
    for (const path of [PATH, '/', '/healthz', '/v1/usage']) {
      const { headers } = await server.get(path);
      expect(headers.get('strict-transport-security'), path).to.equal(null);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
    }
  });
});
