// Policy of a route: cross-origin access, throttling, and the maximum size of the body.
import { expect } from 'chai';
import { z } from 'zod';
import { json } from '../../../src/platform/http/response/reply.js';
import { route, withPolicy } from '../../../src/platform/http/route.js';
import { allRoutes } from '../../support/features.js';
import { startRoutes, type RouteServer } from '../../support/route-server.js';

const ROUTES = await allRoutes({ minPasswordCharacters: 12 });

const echo = (path: string) =>
  route(`POST ${path}`, {
    auth: 'none',
    summary: 'Returns the length of a text.',
    body: z.strictObject({ text: z.string() }),
    responses: {},
    handle: ({ body }) => json(200, { length: body.text.length }),
  });

describe('the policy of a route', () => {
  let server: RouteServer;
  before(async () => {
    const routes = [
      ...withPolicy({ cors: true }, [echo('/open')]),
      ...withPolicy({ maxBodyBytes: 2048 }, [echo('/small')]),
      echo('/default'),
    ];
    server = await startRoutes({ routes, services: {} });
  });
  after(() => server.close());

  const post = (path: string, characters: number) =>
    fetch(server.base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://elsewhere.example' },
      body: JSON.stringify({ text: 'x'.repeat(characters) }),
    });
  const origin = (response: Response) => response.headers.get('access-control-allow-origin');

  it('opens the API to pages of all origins, and only throttles routes that check passwords or read much', () => {
    expect(ROUTES.length).to.be.above(30);
    for (const { path, cors, throttled } of ROUTES) {
      expect(cors === true, path).to.equal(/^\/(?:v1|iconify|compat|r)\/|^\/mcp$/.test(path));
      expect(throttled === true, path).to.equal(
        /^\/(?:auth\/|v1\/analytics\/|v1\/billing\/(?:checkout|portal)$|dashboard\/(?:(?:billing|subscription)\/|email-change$))/.test(
          path,
        ),
      );
    }
  });

  it('lets pages of other origins read the responses of listed routes, and their preflights', async () => {
    for (const [path, allowed] of [
      ['/open', '*'],
      ['/default', null],
    ] as const) {
      expect(origin(await post(path, 1)), path).to.equal(allowed);
      const preflight = await fetch(server.base + path, { method: 'OPTIONS' });
      expect([preflight.status, origin(preflight)], path).to.deep.equal([204, allowed]);
      expect(preflight.headers.has('access-control-allow-methods'), path).to.equal(allowed !== null);
    }
  });

  it('rejects a body over the limit of its route with 413, which names the limit', async () => {
    expect([(await post('/small', 2000)).status, (await post('/default', 60_000)).status]).to.deep.equal([200, 200]);
    for (const [path, characters, limit] of [
      ['/small', 2048, '2 KB'],
      ['/default', 65_536, '64 KB'],
    ] as const) {
      const response = await post(path, characters);
      expect(response.status).to.equal(413);
      expect(await response.text()).to.include(limit);
    }
  });
});
