// Requests to URLs that users choose, with real servers on this machine.
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import net from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import type { Dial } from '../../../src/platform/outgoing/connect.js';
import { openOutgoing, type OutgoingOptions, type OutgoingRequest } from '../../../src/platform/outgoing/outgoing.js';
import type { ResolveHost } from '../../../src/platform/outgoing/resolve-host.js';
import { hostExceptions, originExceptions } from '../../../src/platform/outgoing/target.js';
import { makeCertificate } from '../../support/certificate.js';

const PUBLIC = '93.184.216.34';
const GET = { method: 'GET', maxRedirects: 3, totalMs: 20_000, maxBytes: 1000, excess: 'reject' } as const;

describe('outgoing requests', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    if (server instanceof http.Server) closing.push(() => server.closeAllConnections());
    return (server.address() as AddressInfo).port;
  }

  async function serve(listener: RequestListener) {
    const received: IncomingMessage[] = [];
    const port = await listen(
      http.createServer((request, response) => {
        received.push(request);
        listener(request, response);
      }),
    );
    return { port, received };
  }

  /**
   * Creates a client that resolves every public host to the server on this port. Records the addresses to which the
   * client connects.
   */
  function client(port: number, options: Partial<OutgoingOptions> = {}) {
    const dialed: (readonly string[])[] = [];
    const resolved: string[] = [];
    const dial: Dial = (addresses) => {
      dialed.push(addresses);
      const connect = buildConnector({});
      return (given, callback) => connect({ ...given, hostname: '127.0.0.1', port: String(port) }, callback);
    };
    const answer: ResolveHost = options.resolve ?? (async () => [PUBLIC]);
    const resolve: ResolveHost = (host) => {
      resolved.push(host);
      return answer(host);
    };
    const outgoing = openOutgoing({ userAgent: 'Blazon/test', dial, ...options, resolve });
    closing.push(() => outgoing.close());
    const get = (url: string, changes: Partial<OutgoingRequest> = {}) =>
      outgoing.request({ ...GET, url, ...changes } as OutgoingRequest);
    return { outgoing, dialed, resolved, get };
  }

  /** Creates a client that resolves and connects like in production. */
  function realClient(options: Partial<OutgoingOptions> = {}) {
    const outgoing = openOutgoing({ userAgent: 'Blazon/test', ...options });
    closing.push(() => outgoing.close());
    return (url: string, changes: Partial<OutgoingRequest> = {}) =>
      outgoing.request({ ...GET, url, ...changes } as OutgoingRequest);
  }

  const text = (body: string, headers = {}): RequestListener => {
    return (_, response) => response.writeHead(200, headers).end(body);
  };

  it('return status, headers, URL and body', async () => {
    const { port } = await serve(text('hello', { 'Content-Type': 'text/plain', ETag: '"1"' }));
    const answer = await client(port).get('http://site.example/a?b#c');
    if (!answer.ok) throw new Error(answer.failure);
    expect(answer.status).to.equal(200);
    expect(answer.headers.etag).to.equal('"1"');
    expect(answer.url).to.equal('http://site.example/a?b');
    expect(answer.body.toString()).to.equal('hello');
  });

  it('send no cookie, referrer or credential, even after a redirect that sets a cookie', async () => {
    const { port, received } = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: '/next', 'Set-Cookie': 'a=b' }).end();
      else response.end('done');
    });
    const answer = await client(port).get('http://site.example/', { headers: { accept: 'text/html' } });
    expect(answer.ok).to.equal(true);
    expect(received.map(({ url }) => url)).to.deep.equal(['/', '/next']);
    for (const { headers } of received) {
      expect(Object.keys(headers).sort()).to.deep.equal([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      expect(headers['user-agent']).to.equal('Blazon/test');
      expect(headers.host).to.equal('site.example');
    }
  });

  it('follow redirects of every status, and no other response with a location', async () => {
    const { port } = await serve((request, response) =>
      response.writeHead(Number(request.url?.slice(1)) || 200, { Location: '/' }).end(),
    );
    const { get } = client(port);
    for (const [status, url] of [
      ...[301, 302, 303, 307, 308].map((redirect) => [redirect, 'http://site.example/'] as const),
      ...[201, 300].map((other) => [other, `http://site.example/${other}`] as const),
    ])
      expect(await get(`http://site.example/${status}`), String(status)).to.include({ ok: true, url });
  });

  it('send a JSON body with headers, and return a redirect as it is', async () => {
    let body = '';
    const { port, received } = await serve((request, response) => {
      request
        .on('data', (chunk: Buffer) => (body += chunk.toString()))
        .on('end', () => {
          response.writeHead(307, { Location: 'http://other.example/' }).end('x'.repeat(5000));
        });
    });
    const { outgoing } = client(port);
    const answer = await outgoing.request({
      ...{ url: 'http://hooks.example/in', method: 'POST', body: '{"a":1}', headers: { 'webhook-id': 'msg_1' } },
      ...{ maxRedirects: 0, totalMs: 20_000, maxBytes: 1024, excess: 'cut' },
    });
    if (!answer.ok) throw new Error(answer.failure);
    expect([answer.status, answer.body.length, body]).to.deep.equal([307, 1024, '{"a":1}']);
    expect(received[0]?.headers).to.include({ 'webhook-id': 'msg_1', 'content-length': '7' });
    expect(received).to.have.length(1);
  });

  describe('reject', () => {
    const blocked = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
    ];

    it('names that resolve to an address that is not public', async () => {
      for (const address of blocked) {
        const { port, received } = await serve(text('secret'));
        const { get, dialed } = client(port, { resolve: async () => [address] });
        expect(await get('http://site.example/'), address).to.deep.equal({ ok: false, failure: 'not-allowed' });
        expect([received.length, dialed.length]).to.deep.equal([0, 0]);
      }
    });

    it('names with a single private address among public ones', async () => {
      const { port } = await serve(text('secret'));
      for (const addresses of [
        [PUBLIC, '127.0.0.1'],
        ['10.0.0.1', PUBLIC],
        [PUBLIC, '2606:4700::1111', 'fd00::1'],
      ]) {
        const { get, dialed } = client(port, { resolve: async () => addresses });
        expect(await get('http://site.example/')).to.deep.equal({ ok: false, failure: 'not-allowed' });
        expect(dialed).to.deep.equal([]);
      }
    });

    it('IP literals in any spelling, which no resolver sees', async () => {
      const { port, received } = await serve(text('secret'));
      const literals = ['127.0.0.1', '[::1]', '2130706433', '0x7f000001', '0177.1', '127.1', '[::ffff:127.0.0.1]'];
      for (const literal of [...literals, '169.254.169.254', '[64:ff9b::7f00:1]', '0', '[fe80::1]']) {
        const { get, dialed, resolved } = client(port);
        expect(await get(`http://${literal}/`), literal).to.deep.equal({ ok: false, failure: 'not-allowed' });
        expect([dialed.length, resolved.length]).to.deep.equal([0, 0]);
      }
      expect(received).to.deep.equal([]);
    });

    it('IP literals of this machine with the connections of production', async () => {
      const { port, received } = await serve(text('secret'));
      const get = realClient({ exceptions: originExceptions(['http://127.0.0.1:1']) });
      for (const url of ['http://127.0.0.1/', 'http://[::1]/', `http://127.0.0.1:${port}/`, 'http://localhost/'])
        expect((await get(url)).ok, url).to.equal(false);
      expect(received).to.deep.equal([]);
    });

    it('redirects to a private address, another scheme, another port, or credentials', async () => {
      const targets = ['http://127.0.0.1/', 'http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd'];
      for (const location of [...targets, 'http://site.example:6379/', 'http://a:b@site.example/', 'http://[::1]/']) {
        const { port, received } = await serve((_, response) => response.writeHead(302, { Location: location }).end());
        const { get } = client(port);
        expect(await get('http://site.example/'), location).to.deep.equal({ ok: false, failure: 'not-allowed' });
        expect(received).to.have.length(1);
      }
    });

    it('more redirects than allowed, and loops', async () => {
      const { port, received } = await serve((request, response) =>
        response.writeHead(302, { Location: `/${Number(request.url?.slice(1)) + 1}` }).end(),
      );
      expect(await client(port).get('http://site.example/0')).to.deep.equal({ ok: false, failure: 'redirects' });
      expect(received.map(({ url }) => url)).to.deep.equal(['/0', '/1', '/2', '/3']);
    });

    it('unknown hosts, refused connections and servers that close without a response', async () => {
      const { port } = await serve((request) => request.socket.destroy());
      const get = client(port, { resolve: async (host) => (host === 'none.example' ? [] : [PUBLIC]) }).get;
      expect(await get('http://none.example/')).to.deep.equal({ ok: false, failure: 'unresolved' });
      expect(await get('http://closes.example/')).to.deep.equal({ ok: false, failure: 'unreachable' });
      const unused = await listen(net.createServer());
      await closing.pop()?.();
      expect(await client(unused).get('http://refused.example/')).to.deep.equal({ ok: false, failure: 'unreachable' });
    });

    it('responses that are not HTTP, and heads that are too large', async () => {
      const port = await listen(net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
      expect(await client(port).get('http://ssh.example/')).to.deep.equal({ ok: false, failure: 'malformed' });
      const large = await serve(text('', { 'X-Large': 'x'.repeat(15_000), 'X-Too': 'x'.repeat(15_000) }));
      expect(await client(large.port).get('http://head.example/')).to.deep.equal({ ok: false, failure: 'malformed' });
    });

    it('self-signed certificates and servers that only speak HTTP/2', async function () {
      const certificate = makeCertificate();
      if (!certificate) return this.skip();
      closing.push(certificate.remove);
      const [key, cert] = [certificate.key, certificate.certificate].map((path) => readFileSync(path));
      const port = await listen(https.createServer({ key, cert }, text('secret')));
      expect(await client(port).get('https://site.example/')).to.deep.equal({ ok: false, failure: 'unreachable' });
      const second = http2.createSecureServer({ key, cert, allowHTTP1: false });
      expect(await client(await listen(second)).get('https://site.example/')).to.deep.equal({
        ok: false,
        failure: 'unreachable',
      });
      const plain = http2.createServer((_, response) => response.end('x'));
      expect((await client(await listen(plain)).get('http://site.example/')).ok).to.equal(false);
    });
  });

  it('resolve a host once per connection, so that a changed answer of its name server has no effect', async () => {
    const { port, received } = await serve(text('hello'));
    const answers = [[PUBLIC], ['127.0.0.1']];
    const { get, dialed, resolved } = client(port, { resolve: async () => answers.shift() ?? [] });
    expect((await get('http://rebinding.example/')).ok).to.equal(true);
    expect(dialed).to.deep.equal([[PUBLIC]]);
    expect(resolved).to.deep.equal(['rebinding.example']);
    const again = await get('https://rebinding.example/');
    expect(again, 'a new connection').to.deep.equal({ ok: false, failure: 'not-allowed' });
    expect(received).to.have.length(1);
  });

  it('resolve and check each hop anew', async () => {
    const { port, received } = await serve((_, response) =>
      response.writeHead(302, { Location: 'http://inside.example/' }).end(),
    );
    const resolve: ResolveHost = async (host) => [host === 'inside.example' ? '192.168.0.1' : PUBLIC];
    const { get, dialed, resolved } = client(port, { resolve });
    expect(await get('http://outside.example/')).to.deep.equal({ ok: false, failure: 'not-allowed' });
    expect(resolved).to.deep.equal(['outside.example', 'inside.example']);
    expect([dialed.length, received.length]).to.deep.equal([1, 1]);
  });

  it('connect to the checked addresses without asking for the name again', async () => {
    const { port, received } = await serve(text('hello'));
    // Uses a name that no DNS server knows, so that the request can only succeed if the client does not look it up.
    const get = realClient({ exceptions: hostExceptions([`only-here.invalid=http://127.0.0.1:${port}`]) });
    expect((await get('https://only-here.invalid/x')).ok).to.equal(true);
    expect(received[0]?.headers.host).to.equal('only-here.invalid');
    expect(received[0]?.url).to.equal('/x');
  });

  it('reach an exception only by the names and origins that the operator wrote', async () => {
    const { port, received } = await serve(text('hello'));
    const get = realClient({ exceptions: originExceptions([`http://127.0.0.1:${port}`]) });
    expect((await get(`http://127.0.0.1:${port}/hook`)).ok).to.equal(true);
    for (const url of ['http://127.0.0.1/', `https://127.0.0.1:${port}/`, `http://127.0.0.2:${port}/`])
      expect(await get(url), url).to.deep.equal({ ok: false, failure: 'not-allowed' });
    expect(received).to.have.length(1);
  });

  describe('bound a body', () => {
    it('after decompression, so that a bomb is rejected early', async () => {
      const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
      for (const [coding, compress] of Object.entries(codings)) {
        const bomb = compress(Buffer.alloc(5_000_000));
        const small = compress(Buffer.from('hello'));
        const { port } = await serve((request, response) =>
          response.writeHead(200, { 'Content-Encoding': coding }).end(request.url === '/bomb' ? bomb : small),
        );
        const { get } = client(port);
        const failed = await get('http://site.example/bomb', { maxBytes: 100_000 });
        expect(failed, coding).to.deep.equal({ ok: false, failure: 'too-large' });
        const cut = await get('http://site.example/bomb', { maxBytes: 100_000, excess: 'cut' });
        expect(cut.ok && cut.body.length, coding).to.equal(100_000);
        const whole = await get('http://site.example/small');
        expect(whole.ok && whole.body.toString(), coding).to.equal('hello');
      }
    });

    it('before decompression, where the start of a large body is decompressed', async () => {
      const noise = randomBytes(50_000);
      for (const [coding, bytes] of [
        ['gzip', gzipSync(noise)],
        ['deflate', deflateSync(noise)],
        ['br', brotliCompressSync(noise)],
      ] as const) {
        const { port } = await serve((_, response) =>
          response.writeHead(200, { 'Content-Encoding': coding }).end(bytes),
        );
        const { get } = client(port);
        expect(await get('http://site.example/'), coding).to.deep.equal({ ok: false, failure: 'too-large' });
        const cut = await get('http://site.example/', { excess: 'cut' });
        const start = cut.ok ? cut.body : Buffer.alloc(0);
        expect(start.length, coding).to.be.within(500, 1000);
        expect(start.equals(noise.subarray(0, start.length)), coding).to.equal(true);
      }
    });

    it('with any length or none in its head', async () => {
      const { port } = await serve((request, response) => {
        if (request.url === '/chunked') response.write('x'.repeat(600));
        response.end('x'.repeat(600));
      });
      const { get } = client(port);
      const large = await get('http://site.example/chunked');
      expect(large).to.deep.equal({ ok: false, failure: 'too-large' });
      const cut = await get('http://site.example/chunked', { excess: 'cut' });
      expect(cut.ok && cut.body.length).to.equal(1000);
      const exact = await get('http://site.example/', { maxBytes: 600 });
      expect(exact.ok && exact.body.length).to.equal(600);
    });

    it('by its reader, which may need only the start', async () => {
      const { port } = await serve((_, response) => void response.write('<head></head>'));
      const isEnough = (chunk: Uint8Array) => Buffer.from(chunk).includes('</head>');
      const answer = await client(port).get('http://site.example/', { isEnough });
      expect(answer.ok && answer.body.toString()).to.equal('<head></head>');
    });

    it('and reject an unknown coding, or damaged data', async () => {
      const { port } = await serve((request, response) => {
        response.writeHead(200, { 'Content-Encoding': request.url === '/unknown' ? 'zstd' : 'gzip' }).end('no gzip');
      });
      const { get } = client(port);
      for (const path of ['unknown', 'damaged'])
        expect(await get(`http://site.example/${path}`), path).to.deep.equal({ ok: false, failure: 'malformed' });
    });
  });

  describe('end', () => {
    it('after the total time, although the server keeps sending', async () => {
      const { port } = await serve((_, response) => {
        const timer = setInterval(() => response.write('x'), 10);
        response.on('close', () => clearInterval(timer));
      });
      const late = await client(port).get('http://drip.example/', { totalMs: 300, maxBytes: 1_000_000 });
      expect(late).to.deep.equal({ ok: false, failure: 'timeout' });
    });

    it('after the total time of all hops, when each hop is slow', async () => {
      const { port } = await serve((_, response) => {
        setTimeout(() => response.writeHead(302, { Location: '/' }).end(), 150);
      });
      const late = await client(port).get('http://slow.example/', { totalMs: 300, maxRedirects: 1000 });
      expect(late).to.deep.equal({ ok: false, failure: 'timeout' });
    });

    it('when no TLS connection is made within two seconds, however long the request may take', async () => {
      const port = await listen(net.createServer((socket) => void closing.push(() => socket.destroy())));
      const get = realClient({ exceptions: originExceptions([`https://127.0.0.1:${port}`]) });
      const beganMs = performance.now();
      const outcome = await get(`https://127.0.0.1:${port}/`, { totalMs: 120_000 });
      expect(outcome).to.deep.equal({ ok: false, failure: 'timeout' });
      expect(performance.now() - beganMs).to.be.within(1900, 60_000);
    });

    it('when the resolver does not answer', async () => {
      const { get } = client(1, { resolve: () => new Promise(() => undefined) });
      expect(await get('http://silent.example/', { totalMs: 200 })).to.deep.equal({ ok: false, failure: 'timeout' });
    });

    it('when the caller aborts, before and during the request', async () => {
      const { port } = await serve(() => undefined);
      const { get } = client(port);
      const before = await get('http://site.example/', { signal: AbortSignal.abort() });
      expect(before).to.deep.equal({ ok: false, failure: 'aborted' });
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), 50);
      expect(await get('http://site.example/', { signal: leaving.signal })).to.deep.equal({
        ok: false,
        failure: 'aborted',
      });
    });
  });

  describe('behind a proxy', () => {
    it('are sent to it by name, after a check of the name', async () => {
      const { port, received } = await serve((request, response) => response.end(request.url));
      const resolve: ResolveHost = async (host) => {
        if (host === 'unknown.example') throw new Error('no DNS here');
        return [host === 'inside.example' ? '10.0.0.1' : PUBLIC];
      };
      const get = realClient({ proxy: `http://127.0.0.1:${port}`, resolve });
      for (const host of ['site.example', 'unknown.example']) {
        const answer = await get(`http://${host}/a`);
        expect(answer.ok && answer.body.toString()).to.equal(`http://${host}/a`);
      }
      for (const host of ['inside.example', '127.0.0.1', '[::1]'])
        expect(await get(`http://${host}/`), host).to.deep.equal({ ok: false, failure: 'not-allowed' });
      expect(received).to.have.length(2);
    });

    it('reach exceptions directly', async () => {
      const { port, received } = await serve(text('hello'));
      const exceptions = hostExceptions([`intranet.corp=http://127.0.0.1:${port}`]);
      const get = realClient({ proxy: 'http://127.0.0.1:9', exceptions });
      expect((await get('https://intranet.corp/')).ok).to.equal(true);
      expect(received).to.have.length(1);
    });
  });
});
