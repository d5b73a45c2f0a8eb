// Names that every JavaScript object inherits (`constructor`, …), as input of requests.
import { expect } from 'chai';
import { INHERITED_NAMES } from '../../support/inherited-names.js';
import { suiteServer } from '../../support/server.js';

describe('names that every object inherits, in requests', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  const answer = async (path: string, body?: string) => {
    const headers = { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const response = await fetch(server.base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const { error, details = [] } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      error?: string;
      details?: { field: string }[];
    };
    return { status: response.status, error, fields: details.map(({ field }) => field) };
  };

  for (const name of INHERITED_NAMES) {
    it(`rejects ${name} like any other unknown parameter, field, slug, variant, color and file`, async () => {
      for (const path of ['/v1/svg/github', '/v1/search', '/v1/brand', '/v1/catalog/github', '/v1/usage', '/healthz']) {
        expect(await answer(`${path}?${name}=1`), path)
          .to.deep.include({ status: 400, error: 'invalid_request' })
          .and.have.property('fields')
          .that.includes(name);
      }
      for (const body of [`{"slugs":["github"],"${name}":1}`, `{"${name}":{"slugs":["github"]}}`]) {
        expect(await answer('/v1/catalog/batch', body), body)
          .to.deep.include({ status: 400 })
          .and.have.property('fields')
          .that.includes(name);
      }
      expect(
        await answer('/auth/login', `{"email":"a@example.com","password":"a long pass phrase","${name}":1}`),
      ).to.deep.include({ status: 400, fields: [name] });
      for (const path of [
        `/v1/svg/${name}`,
        `/v1/catalog/${name}`,
        `/v1/svg/github?variant=${name}`,
        `/docs/${name}`,
        `/${name}`,
        `/v1/brand?domain=${name}.example.com`,
      ]) {
        expect((await answer(path)).status, path).to.be.oneOf([400, 404]);
      }
      for (const query of [`color=${name}`, `fallback=${name}`, `on=${name}`])
        expect((await answer(`/v1/svg/github?${query}`)).status, query).to.equal(400);
      for (const query of [
        `q=${name}`,
        `category=${name}`,
        `license=${name}`,
        `variant=${name}`,
        `q=a&category=${name}&license=${name}`,
      ]) {
        expect((await answer(`/v1/search?${query}`)).status, query).to.equal(200);
      }
      expect((await answer(`/v1/brand?name=${name}`)).status).to.be.oneOf([200, 404]);
      expect((await answer('/v1/catalog/batch', `{"slugs":["${name}"]}`)).status).to.be.oneOf([200, 400]);
      expect(server.errors()).to.deep.equal([]);
    });
  }
});
