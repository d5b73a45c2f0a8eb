// Content codings over HTTP: RFC 9110, sections 8.4, 8.8.3.3, 9.3.2, 12.5.3, 12.5.5, 15.4.5. The client of these tests
// does not decode responses.
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { assetNamed } from '../../support/assets.js';
import { suiteServer } from '../../support/server.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** URLs with responses of more than 2 KB, which are compressed. Each URL has the expected `Vary`. */
const LARGE: readonly (readonly [string, string])[] = [
  ['/v1/svg/composer', 'X-API-Key, Accept-Encoding'],
  ['/v1/svg/composer?size=300&download=1', 'X-API-Key, Accept-Encoding'],
  ['/v1/catalog/github', 'X-API-Key, Accept-Encoding'],
  ['/v1/search?q=a&limit=50', 'X-API-Key, Accept-Encoding'],
  ['/v1/brand?domain=google.com', 'X-API-Key, Accept-Encoding'],
  ['/v1/analytics/usage', 'Accept, Accept-Encoding'],
  ['/v1/analytics/responses?from=2026-01-01&to=2026-12-01', 'Accept-Encoding'],
  ['/openapi.json', 'Accept-Encoding'],
  [`/assets/${assetNamed('.css')}`, 'Accept-Encoding'],
  [`/assets/${assetNamed('.js')}`, 'Accept-Encoding'],
];
/** URLs whose responses would be compressed if they were longer. */
const SMALL = ['/v1/svg/github', '/v1/svg/no-such-brand?fallback=transparent', '/v1/search?q=github&limit=1'];
/** URLs whose responses are never compressed: compressed formats, short responses, and errors. */
const NEVER = [
  '/v1/png/composer',
  '/v1/webp/composer?size=512',
  '/docs/example.png',
  '/docs',
  '/favicon.ico',
  '/healthz',
  '/v1/usage',
  '/v1/svg/no-such-brand',
  '/nothing',
];
const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: (body) => brotliDecompressSync(body),
  gzip: (body) => gunzipSync(body),
};
const SUFFIX: Readonly<Record<string, string>> = { br: '-br"', gzip: '-gz"' };

function decoded({ headers, body }: Answer): Buffer {
  const coding = headers['content-encoding'];
  return coding === undefined ? body : DECODERS[coding]!(body);
}

describe('content coding over HTTP', () => {
  let key: string;
  // Fixes the clock of the service, because reports end with the current day.
  const server = suiteServer({}, () => Date.parse('2026-12-01T12:00:00Z'));
  before(async () => {
    key = await server.key();
  });

  function send(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(server.base + path, { method, headers: { 'X-API-Key': key, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
  const accepting = (path: string, accepted: string, more: Record<string, string> = {}, method = 'GET') =>
    send(path, { 'Accept-Encoding': accepted, ...more }, method);

  for (const [path, vary] of LARGE) {
    describe(path, () => {
      it('is sent in the accepted coding, with a different tag, and decodes to the same', async () => {
        const plain = await send(path);
        expect(plain.status, plain.body.toString()).to.equal(200);
        expect(plain.body.length).to.be.at.least(2048);
        expect(plain.headers).to.not.have.property('content-encoding');
        expect(plain.headers.vary).to.equal(vary);
        for (const coding of ['br', 'gzip']) {
          const coded = await accepting(path, coding);
          expect(coded.status).to.equal(200);
          expect(coded.headers['content-encoding']).to.equal(coding);
          expect(coded.headers.vary).to.equal(vary);
          expect(Number(coded.headers['content-length'])).to.equal(coded.body.length);
          expect(coded.body.length).to.be.below(plain.body.length * 0.8);
          expect(decoded(coded).equals(plain.body)).to.equal(true);
          expect(coded.headers.etag).to.equal(plain.headers.etag?.replace(/"$/, SUFFIX[coding]!));
          for (const name of ['content-type', 'cache-control', 'last-modified', 'content-disposition'] as const)
            expect(coded.headers[name], name).to.equal(plain.headers[name]);
        }
        expect(plain.headers).to.not.have.property('accept-ranges');
      });

      it('has the same headers for HEAD, with the right length or none', async () => {
        for (const accepted of ['br', 'gzip', 'identity', 'gzip, deflate, br, zstd']) {
          const get = await accepting(path, accepted);
          const head = await accepting(path, accepted, {}, 'HEAD');
          expect(head.status).to.equal(200);
          expect(head.body).to.have.length(0);
          for (const name of ['content-encoding', 'etag', 'vary', 'content-type', 'cache-control', 'last-modified'])
            expect(head.headers[name], name).to.equal(get.headers[name]);
          const length = head.headers['content-length'];
          if (length !== undefined) expect(length).to.equal(get.headers['content-length']);
        }
      });
    });
  }

  it('is not used, instead of 406, if the client accepts nothing', async () => {
    for (const path of ['/v1/svg/composer', '/v1/svg/github', '/openapi.json', '/v1/png/github', '/nothing']) {
      const plain = await send(path);
      for (const accepted of ['identity;q=0', '*;q=0', 'identity;q=0, zstd', 'br;q=0, gzip;q=0, identity;q=0']) {
        const answer = await accepting(path, accepted);
        expect(answer.status, `${path} ${accepted}`).to.equal(plain.status);
        expect(answer.headers).to.not.have.property('content-encoding');
        expect(answer.headers.etag).to.equal(plain.headers.etag);
        expect(answer.headers['content-length']).to.equal(plain.headers['content-length']);
      }
    }
    // A short response is not compressed, even if the client's `Accept-Encoding` forbids the uncompressed form.
    expect((await accepting('/v1/svg/github', 'identity;q=0, gzip')).headers).to.not.have.property('content-encoding');
    expect((await accepting('/v1/svg/composer', 'identity;q=0, gzip')).headers['content-encoding']).to.equal('gzip');
  });

  it('answers 304 by the tag of every form that the client accepts', async () => {
    for (const [path] of LARGE) {
      const { headers } = await send(path);
      const { etag } = headers;
      if (etag === undefined) continue;
      const br = etag.replace(/"$/, SUFFIX.br!);
      const gzip = etag.replace(/"$/, SUFFIX.gzip!);
      const held = async (tags: string, accepted: string) => {
        const answer = await accepting(path, accepted, { 'If-None-Match': tags });
        if (answer.status === 304) {
          expect(answer.body).to.have.length(0);
          expect(answer.headers).to.not.have.property('content-encoding');
          expect(answer.headers).to.not.have.property('content-length');
          expect(answer.headers.vary).to.equal(headers.vary);
          expect(answer.headers['cache-control']).to.equal(headers['cache-control']);
        }
        return answer.status === 304 ? answer.headers.etag : answer.status;
      };
      expect(await held(br, 'br, gzip'), path).to.equal(br);
      expect(await held(gzip, 'br, gzip')).to.equal(gzip);
      expect(await held(`W/${gzip}`, 'gzip')).to.equal(gzip);
      expect(await held(`${gzip}, ${br}`, 'br, gzip')).to.equal(br);
      expect(await held(etag, 'br, gzip')).to.equal(etag);
      expect(await held(etag, 'identity')).to.equal(etag);
      expect(await held('*', 'br')).to.equal(etag);
      expect(await held(br, 'gzip')).to.equal(200);
      expect(await held(br, 'identity')).to.equal(200);
      expect(await held(gzip, 'br')).to.equal(200);
      expect(await held('"other-br"', 'br')).to.equal(200);
    }
  });

  it('has no tag of a coding for uncoded bodies', async () => {
    for (const path of ['/v1/png/composer', '/docs/example.png']) {
      const { etag = '' } = (await send(path)).headers;
      const answer = await accepting(path, 'br', { 'If-None-Match': etag.replace(/"$/, SUFFIX.br!) });
      expect(answer.status, path).to.equal(200);
    }
  });

  it('leaves short responses unchanged, except for Vary', async () => {
    for (const path of SMALL) {
      const answer = await accepting(path, 'br, gzip');
      expect(answer.status, path).to.equal(200);
      expect(answer.body.length).to.be.below(2048);
      expect(answer.headers).to.not.have.property('content-encoding');
      expect(answer.headers.vary).to.equal('X-API-Key, Accept-Encoding');
      expect(answer.headers.etag).to.match(/^"[0-9a-f]{32}"$/);
    }
  });

  it('is not negotiated for pictures of pixels, short documents and errors', async () => {
    for (const path of NEVER) {
      const answer = await accepting(path, 'br, gzip');
      expect(answer.headers, path).to.not.have.property('content-encoding');
      expect(answer.headers.vary ?? '', path).to.not.include('Accept-Encoding');
      expect(Number(answer.headers['content-length']), path).to.equal(answer.body.length);
    }
  });

  it('applies to a batch, and to CSV', async () => {
    const batch = await send(
      '/v1/catalog/batch',
      { 'Accept-Encoding': 'br', 'Content-Type': 'application/json' },
      'POST',
      JSON.stringify({ slugs: ['github', 'google', 'composer'] }),
    );
    expect(batch.headers).to.include({
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
      'cache-control': 'no-store',
    });
    expect((JSON.parse(decoded(batch).toString()) as { results: object[] }).results).to.have.length(3);
    const csv = await accepting('/v1/analytics/usage?from=2026-01-01&to=2026-12-01', 'gzip', { Accept: 'text/csv' });
    expect(csv.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept, Accept-Encoding' });
    expect(decoded(csv).toString()).to.match(/^date,total,/);
  });

  it('ignores Range, as before', async () => {
    const answer = await accepting('/v1/svg/composer', 'br', { Range: 'bytes=0-9' });
    expect(answer.status).to.equal(200);
    expect(decoded(answer).toString()).to.match(/^<svg .*<\/svg>$/s);
  });

  it('is right for 200 concurrent requests', async () => {
    const paths = ['/v1/svg/composer', '/v1/search?q=a&limit=100', '/v1/catalog/github', '/openapi.json'];
    const plain = new Map(await Promise.all(paths.map(async (path) => [path, (await send(path)).body] as const)));
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const path = paths[index % paths.length]!;
        return { path, answer: await accepting(path, index % 3 === 0 ? 'gzip' : 'br, gzip') };
      }),
    );
    for (const { path, answer } of answers) {
      expect(answer.status).to.equal(200);
      expect(decoded(answer).equals(plain.get(path)!), path).to.equal(true);
    }
  });

  it('never has a wrong length, tag or coding for any request', async () => {
    const q = fc.constantFrom('', ';q=0', ';q=0.0', ';q=0.3', ';q=1', '; q=0.9', ';q=x');
    const name = fc.constantFrom('br', 'gzip', 'identity', '*', 'deflate', 'zstd', 'GZIP', '', '??');
    const accepted = fc.array(
      fc.tuple(name, q).map(([coding, weight]) => coding + weight),
      { maxLength: 5 },
    );
    const path = fc.constantFrom(...LARGE.map(([large]) => large), ...SMALL, ...NEVER);
    const plain = new Map<string, Answer>();
    const sent = fc.record({
      path,
      codings: accepted.map((codings) => codings.join(',')),
      method: fc.constantFrom('GET', 'HEAD'),
      heldSuffix: fc.option(fc.constantFrom('', '-br', '-gz', '-xx'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(sent, async ({ path: asked, codings, method, heldSuffix }) => {
        if (!plain.has(asked)) plain.set(asked, await send(asked));
        const expected = plain.get(asked)!;
        const held = (expected.headers.etag ?? '"none"').replace(/"$/, `${heldSuffix}"`);
        const conditional = heldSuffix === undefined ? undefined : { 'If-None-Match': held };
        const answer = await accepting(asked, codings, conditional, method);
        const coding = answer.headers['content-encoding'];
        if (answer.status === 304) {
          expect(heldSuffix).to.be.oneOf(['', '-br', '-gz']);
          expect(answer.headers.etag).to.equal(held);
          expect(coding).to.equal(undefined);
          return;
        }
        expect(answer.status).to.equal(expected.status);
        expect(coding).to.be.oneOf([undefined, 'br', 'gzip']);
        if (coding !== undefined) expect(codings.toLowerCase()).to.match(new RegExp(`${coding}|\\*`));
        expect(answer.headers.etag).to.equal(
          coding === undefined ? expected.headers.etag : expected.headers.etag?.replace(/"$/, SUFFIX[coding]!),
        );
        expect(answer.headers.vary).to.equal(expected.headers.vary);
        if (method === 'HEAD') {
          expect(answer.body).to.have.length(0);
          return;
        }
        expect(Number(answer.headers['content-length'])).to.equal(answer.body.length);
        // Does not compare analytics and usage, because they change with every counted request.
        if (expected.status === 200 && !asked.startsWith('/v1/analytics') && asked !== '/v1/usage')
          expect(decoded(answer).equals(expected.body)).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });
});
