// Media type of merge patches (RFC 7396): only PATCH accepts it. PATCH also accepts JSON.
import { expect } from 'chai';
import { suiteServer } from '../support/server.js';
import { expectError } from '../support/expect-error.js';

describe('a merge patch', () => {
  const server = suiteServer();

  it('may be named by its media type, where there is one', async () => {
    const key = await server.key('free');
    const send = (method: string, type: string, body: object) =>
      fetch(`${server.base}/v1/brands/acme`, {
        method,
        headers: { 'X-API-Key': key, 'Content-Type': type },
        body: JSON.stringify(body),
      });
    expect((await send('PUT', 'application/json', { title: 'Acme' })).status).to.equal(201);
    for (const type of [
      'application/json',
      'application/merge-patch+json',
      'Application/Merge-Patch+JSON; charset=utf-8',
    ]) {
      const patched = await send('PATCH', type, { title: `Acme ${type}` });
      expect(patched.status, type).to.equal(200);
      expect(await patched.json()).to.have.nested.property('brand.title', `Acme ${type}`);
    }
    await expectError(
      await send('PUT', 'application/merge-patch+json', { title: 'Acme' }),
      415,
      'unsupported_media_type',
    );
    await expectError(await send('PATCH', 'application/json-patch+json', {}), 415, 'unsupported_media_type');
  });
});
