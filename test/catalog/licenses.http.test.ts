// GET /licenses: authors and licenses of served drawings.
import { expect } from 'chai';
import { startServer, type TestServer } from '../support/server.js';

describe('licenses', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  it('names the packages of the catalog with their authors, and the texts of their licenses', async () => {
    const response = await server.get('/licenses');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).to.match(/^simple-icons [\d.]+, by Simple Icons Collaborators/m);
    expect(text)
      .to.match(/^@thesvg\/icons [\d.]+, by thesvg.org$/m)
      .and.include('Copyright (c) 2025 thesvg.org');
    expect(text)
      .to.match(/^Apache-2.0: \d+ brands$/m)
      .and.include('Text of Apache-2.0');
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${server.base}/licenses`, { headers: { 'If-None-Match': etag } });
    expect(again.status).to.equal(304);
  });
});
