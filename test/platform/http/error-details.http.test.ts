// Details in the errors 400 and 401: the wrong field, the reason, and the allowed values.
import { expect } from 'chai';
import { pageKey } from '../../support/page-keys.js';
import { answersIn, exchangeRaw } from '../../support/raw-connection.js';
import { suiteServer } from '../../support/server.js';

interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly details?: readonly unknown[];
}

describe('details of errors', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  async function detailsOf(path: string): Promise<unknown> {
    const response = await server.get(path, key);
    expect(response.status, path).to.equal(400);
    return ((await response.json()) as ErrorBody).details;
  }

  it('name the field of a missing or badly encoded parameter, and its allowed values', async () => {
    const names = ['domain', 'url', 'email', 'name'];
    expect(await detailsOf('/v1/brand')).to.deep.equal([
      { field: 'query', reason: 'give exactly one of domain, url, email, name', allowed: names },
    ]);
    expect(await detailsOf('/v1/brand?domain=-1'))
      .to.have.nested.property('[0].allowed')
      .that.includes('github.com');
    expect(await detailsOf('/v1/search?q=git&cursor=foo')).to.have.nested.property(
      '[0].allowed',
      'the nextCursor of the previous page',
    );
    for (const [search, field] of [
      ['size=%zz', 'size'],
      ['color=red&size=%zz', 'size'],
      ['%zz=1', 'query'],
    ])
      expect(await detailsOf(`/v1/svg/github?${search}`)).to.deep.equal([
        { field, reason: 'not valid percent-encoded UTF-8' },
      ]);
  });

  it('name the missing parameter of an Iconify route', async () => {
    const { raw } = await pageKey(server);
    for (const [path, field] of [
      ['blazon.json', 'icons'],
      ['search?limit=50', 'query'],
    ] as const) {
      const response = await server.get(`/iconify/${raw}/${path}`);
      expect(((await response.json()) as ErrorBody).details, path).to.have.nested.property('[0].field', field);
    }
    const response = await server.get(`/iconify/${raw}/blazon.json`);
    expect(((await response.json()) as ErrorBody).message).to.equal('icons: missing');
  });

  it('say where a body is no JSON, and repeat nothing of it', async () => {
    for (const [body, message] of [
      ['{"slugs":["a"] "b"}', 'The body is not valid JSON: error at position 15.'],
      ['{"slugs":"aaaaaaaa', 'The body is not valid JSON: error at position 18.'],
      ['{"slugs": a-pass-phrase}', undefined],
      ['a-pass-phrase', undefined],
    ] as const) {
      const response = await fetch(`${server.base}/v1/catalog/batch`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body,
      });
      const answer = (await response.json()) as ErrorBody;
      expect([response.status, answer.error], body).to.deep.equal([400, 'invalid_json']);
      if (message === undefined) expect(answer.message).to.not.match(/pass|phrase|Unexpected/);
      else expect(answer.message).to.equal(message);
    }
  });

  it('say that a key is given more than once', async () => {
    const port = Number(new URL(server.base).port);
    const lines = ['GET /v1/svg/github HTTP/1.1', 'Host: x', `X-API-Key: ${key}`, `X-API-Key: ${key}`];
    const [answer] = answersIn(await exchangeRaw(port, [...lines, 'Connection: close', '', ''].join('\r\n')));
    expect(JSON.parse(answer!.body)).to.deep.include({
      error: 'invalid_api_key',
      message: 'X-API-Key is given more than once. Send one key.',
    });
  });
});
