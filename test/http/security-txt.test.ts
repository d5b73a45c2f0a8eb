// GET /.well-known/security.txt, and the header fields that depend on PUBLIC_URL.
import { expect } from 'chai';
import { clockAt } from '../support/clock.js';
import { startServer, type TestServer } from '../support/server.js';

const PATH = '/.well-known/security.txt';

async function withServer(variables: Record<string, string>, test: (server: TestServer) => Promise<void>) {
  const server = await startServer(variables, clockAt(Date.UTC(2026, 4, 1, 12)).now);
  try {
    await test(server);
  } finally {
    await server.close();
  }
}

describe('security.txt', () => {
  it('names the contacts, in their order, until a day that moves on (RFC 9116)', () =>
    withServer({ SECURITY_CONTACT: 'mailto:security@icons.example, https://icons.example/report' }, async (server) => {
      const response = await server.get(PATH);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(await response.text()).to.equal(
        [
          'Contact: mailto:security@icons.example',
          'Contact: https://icons.example/report',
          'Expires: 2026-10-28T00:00:00.000Z',
          `Canonical: https://icons.example${PATH}`,
          '',
        ].join('\n'),
      );
    }));

  it('is a 404 without a contact; and nothing speaks of https where PUBLIC_URL does not', () =>
    withServer({ PUBLIC_URL: 'http://localhost:3000' }, async (server) => {
      const response = await server.get(PATH);
      expect([response.status, ((await response.json()) as { error: string }).error]).to.deep.equal([
        404,
        'route_not_found',
      ]);
      for (const path of [PATH, '/', '/healthz', '/v1/usage']) {
        const { headers } = await server.get(path);
        expect(headers.get('strict-transport-security'), path).to.equal(null);
        expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
      }
    }));
});
