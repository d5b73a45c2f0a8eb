// Response to an exception that no handler expects.
import { expect } from 'chai';
import { route } from '../../../src/platform/http/route.js';
import { startRoutes, type RouteServer } from '../../support/route-server.js';

const SECRET = 'the password of the database is hunter2';

describe('an unexpected error', () => {
  let server: RouteServer;
  before(async () => {
    const fails = (thrown: Error) =>
      route('GET /v1/fails', {
        auth: 'none',
        summary: 'Fails',
        responses: { 200: { description: 'Never' } },
        handle: () => Promise.reject(thrown),
      });
    server = await startRoutes({ routes: [fails(new TypeError(SECRET, { cause: new Error(SECRET) }))], services: {} });
  });
  after(() => server.close());

  it('gets a fixed response text without details of the exception', async () => {
    const response = await fetch(`${server.base}/v1/fails`);
    const text = await response.text();
    expect(response.status).to.equal(500);
    expect(JSON.parse(text)).to.deep.equal({
      error: 'internal_error',
      message: 'An unexpected error occurred. The log entry has the request ID of this response.',
    });
    expect(text + JSON.stringify([...response.headers])).to.not.include('hunter2');
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });
});
