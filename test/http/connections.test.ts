// One connection: what it may have waiting, how long it may last, and what is answered to what is no request.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  CONNECTION_LIMITS,
  drained,
  createHttpServer,
  type ConnectionLimits,
} from '../../src/http/connections/server.js';
import { createStallWatch, unsentBytesOf } from '../../src/http/connections/stalled-connections.js';
import { eventually } from '../support/auth.js';
import { answersIn, deafClient, exchangeRaw } from '../support/raw-connection.js';

const GET = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('a connection', () => {
  let server: Server;
  let port: number;
  const clients: Socket[] = [];

  async function listen(
    handle: (request: IncomingMessage, response: ServerResponse) => void,
    limits: Partial<ConnectionLimits> = {},
  ): Promise<void> {
    server = createHttpServer(handle, { ...CONNECTION_LIMITS, ...limits });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  function deaf(packet: string): Socket {
    const socket = deafClient(port, packet);
    clients.push(socket);
    return socket;
  }

  /** The server's end of the next connection. */
  async function serverEnd(): Promise<Socket> {
    const [socket] = (await once(server, 'connection')) as [Socket];
    return socket;
  }

  afterEach(() => {
    for (const socket of clients.splice(0)) socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  describe('with pipelined requests', () => {
    it('has one of them answered at a time, in order', async () => {
      let active = 0;
      let mostActive = 0;
      await listen((request, response) => {
        mostActive = Math.max(mostActive, ++active);
        setImmediate(() => {
          active -= 1;
          response.shouldKeepAlive = request.url !== '/last';
          response.end(request.url);
        });
      });
      const paths = Array.from({ length: CONNECTION_LIMITS.maxWaitingRequests }, (_, index) => `/${index}`);
      const text = await exchangeRaw(port, paths.map((path) => GET.replace('/x', path)).join('') + LAST);
      expect(answersIn(text).map(({ body }) => body)).to.deep.equal([...paths, '/last']);
      expect(mostActive).to.equal(1);
    });

    it('is closed when more of them wait than the bound', async () => {
      let handled = 0;
      await listen(() => void (handled += 1));
      expect(await exchangeRaw(port, GET.repeat(CONNECTION_LIMITS.maxWaitingRequests + 2))).to.equal('');
      expect(handled).to.equal(1);
    });

    it('holds one answer for a client that reads nothing, and is closed in the end', async () => {
      let handled = 0;
      await listen(
        (_, response) => {
          handled += 1;
          response.end(Buffer.alloc(32 * 1024 * 1024));
        },
        { stallMs: 100 },
      );
      const end = serverEnd();
      deaf(GET.repeat(60));
      await once(await end, 'close');
      expect(handled).to.equal(1);
    });

    it('gives up those that follow an answer with Connection: close', async () => {
      const paths: (string | undefined)[] = [];
      await listen(({ url }, response) => {
        paths.push(url);
        response.end(url);
      });
      expect(answersIn(await exchangeRaw(port, GET + LAST + GET)).map(({ body }) => body)).to.deep.equal([
        '/x',
        '/last',
      ]);
      expect(paths).to.deep.equal(['/x', '/last']);
    });
  });

  describe('with bytes that are no request', () => {
    const NONSENSE = 'no HTTP\r\n\r\n';

    it('has its earlier requests answered first', async () => {
      await listen(({ url }, response) => setTimeout(() => response.end(url), 20));
      for (const packets of [[GET + GET + NONSENSE], [GET, NONSENSE], [GET + NONSENSE, NONSENSE, NONSENSE]]) {
        const answers = answersIn(await exchangeRaw(port, ...packets));
        expect(answers.map(({ status }) => status)).to.deep.equal(
          packets[0] === GET + GET + NONSENSE ? [200, 200, 400] : [200, 400],
        );
        expect(JSON.parse(answers.at(-1)!.body)).to.have.property('error', 'invalid_request');
      }
    });

    it('has a body that is none rejected once, in the place of its answer', async () => {
      await listen((request, response) => {
        request.resume();
        request.on('end', () => response.end('read')).on('error', () => response.end('aborted'));
      });
      const broken = (method: string) =>
        `${method} / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n`;
      for (const packets of [
        [broken('POST')],
        [broken('POST'), 'x'],
        [GET.replace('GET', 'DELETE') + broken('POST')],
      ]) {
        const last = answersIn(await exchangeRaw(port, ...packets)).at(-1)!;
        expect(last.status).to.equal(400);
        expect(JSON.parse(last.body)).to.have.property('error', 'invalid_request');
      }
      const [head] = answersIn(await exchangeRaw(port, broken('HEAD')));
      expect(head).to.include({ status: 400, body: '' });
      expect(head!.head).to.include('X-Request-Id: mine');
    });

    it('has surplus spaces in its request line rejected, on a kept-alive connection too', async () => {
      const paths: (string | undefined)[] = [];
      await listen(({ url }, response) => {
        paths.push(url);
        response.end(url);
      });
      const get = (line: string) => `${line}\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n`;
      for (const line of ['GET  /y HTTP/1.1', 'GET /y  HTTP/1.1', 'GET    /y   HTTP/1.1', 'GET  /y HTTP/1.0']) {
        for (const packets of [[get(line)], [GET, get(line)], [GET + get(line)], [get(line) + GET.repeat(3)]]) {
          const answers = answersIn(await exchangeRaw(port, ...packets));
          const isFirst = packets[0]!.startsWith(line);
          expect(
            answers.map(({ status }) => status),
            line,
          ).to.deep.equal(isFirst ? [400] : [200, 400]);
          expect(JSON.parse(answers.at(-1)!.body)).to.have.nested.property('details[0].field', 'request line');
          expect(answers.at(-1)!.head)
            .to.match(/^Connection: close$/m)
            .and.match(/^X-Request-Id: mine$/m);
        }
      }
      const [head] = answersIn(await exchangeRaw(port, get('HEAD  /y HTTP/1.1')));
      expect(head).to.include({ status: 400, body: '' });
      expect(new Set(paths)).to.deep.equal(new Set(['/x']));
    });

    it('has other spaces accepted, and heads that come in pieces', async () => {
      await listen((request, response) => {
        response.shouldKeepAlive = request.url !== '/last';
        request.resume().on('end', () => response.end(request.url));
      });
      const post =
        'POST /p HTTP/1.1\r\nHost:x\r\nX:   two  spaces \t\r\nContent-Length: 20\r\n\r\nGET  /y HTTP/1.1\r\n\r\n';
      const pieces = ['GE', 'T /x HT', 'TP/1.1\r\nHo', 'st:  x\r\n', '\r\n'];
      const answers = answersIn(await exchangeRaw(port, post + GET, ...pieces, post, LAST));
      expect(answers.map(({ status, body }) => `${status} ${body}`)).to.deep.equal([
        '200 /p',
        '200 /x',
        '200 /x',
        '200 /p',
        '200 /last',
      ]);
    });

    it('is rejected with a chunked body in HTTP/1.0, and closed (RFC 9112, section 6.1)', async () => {
      await listen(({ url }, response) => response.end(url));
      const chunked =
        'POST /x HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';
      const answers = answersIn(await exchangeRaw(port, chunked + GET));
      expect(answers.map(({ status }) => status)).to.deep.equal([400]);
      expect(JSON.parse(answers[0]!.body)).to.have.nested.property('details[0].field', 'Transfer-Encoding');
    });

    it('names the request line and the headers when they are too long together', async () => {
      await listen(({ url }, response) => response.end(url));
      const long = 'x'.repeat(20_000);
      for (const head of [`GET /${long} HTTP/1.1\r\n\r\n`, `GET / HTTP/1.1\r\nX: ${long}\r\n\r\n`]) {
        const [answer] = answersIn(await exchangeRaw(port, head));
        expect(answer).to.include({ status: 400 });
        expect(JSON.parse(answer!.body)).to.have.property(
          'message',
          'The request line or a header is too long: together they may have 16 KB.',
        );
      }
    });

    it('is answered without a body when it asked by HEAD', async () => {
      await listen(({ url }, response) => response.end(url));
      const heads = [
        'HEAD / HTTP/1.1\r\nno field\r\n\r\n',
        'HEAD / HTTP/9.9\r\n\r\n',
        'HEAD /\x01 HTTP/1.1\r\n\r\n',
        'HEAD / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
        `HEAD / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      ];
      for (const head of [...heads, ...heads.map((text) => GET + text)]) {
        const text = await exchangeRaw(port, head);
        const rejected = text.slice(text.indexOf('HTTP/1.1 400'));
        expect(rejected).to.match(
          /^HTTP\/1\.1 400 Bad Request\r\n(?:.+\r\n)*Content-Length: [1-9]\d+\r\n(?:.+\r\n)*\r\n$/,
        );
      }
      for (const text of [
        'GET / HTTP/1.1\r\nno field\r\n\r\n',
        'HEADS / HTTP/1.1\r\nHost: x\r\n\r\n',
        `${GET}GET / HTTP/1.1\r\nHEAD : x\r\n\r\n`,
      ]) {
        expect(JSON.parse(answersIn(await exchangeRaw(port, text)).at(-1)!.body), text).to.have.property(
          'error',
          'invalid_request',
        );
      }
    });
  });

  it('answers CONNECT after the requests before it', async () => {
    await listen((request, response) => void setTimeout(() => response.end(request.url), 20));
    const text = await exchangeRaw(
      port,
      `${GET}${GET.replace('/x', '/y')}CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect(answersIn(text).map(({ status, body }) => (status === 200 ? body : status))).to.deep.equal([
      '/x',
      '/y',
      400,
    ]);
  });

  it('is rejected and closed after CONNECT, though the client keeps its side open, and stopping does not wait for it', async () => {
    await listen((_, response) => response.end());
    const end = serverEnd();
    const client = deaf('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    await end;
    client.resume();
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answersIn(answer.toString())[0]).to.include({ status: 400 });
    await drained(server);
    expect(client.writable).to.equal(true);
  });

  describe('whose client takes its answer', () => {
    const BODY = Buffer.alloc(32 * 1024 * 1024);
    const LIMITS = { stallMs: 15, checkMs: 5 };

    /** A connection whose answer does not fit into the buffers of the system. */
    async function answered(): Promise<{ readonly client: Socket; readonly socket: Socket }> {
      await listen((_, response) => void response.end(BODY), { checkMs: 2 ** 30 });
      const end = serverEnd();
      const client = deaf(GET);
      const socket = await end;
      await eventually(() => unsentBytesOf(socket) > 0, 'answer that waits');
      return { client, socket };
    }

    it('not at all, is closed by the check, whatever the timeout of the server does', async () => {
      await listen((_, response) => void response.end(BODY), { stallMs: 60, checkMs: 20 });
      server.timeout = 0;
      const end = serverEnd();
      deaf(GET);
      await once(await end, 'close');
    });

    it('slowly, is not closed as long as it takes some between the checks', async () => {
      const { client, socket } = await answered();
      const watch = createStallWatch(LIMITS);
      watch.add(socket);
      client.on('data', () => client.pause());
      for (let checks = 0; checks < 5; checks++) {
        const before = unsentBytesOf(socket);
        await eventually(() => {
          client.resume();
          return unsentBytesOf(socket) < before;
        }, 'byte that was taken');
        watch.check();
        expect(socket.destroyed, `after ${checks} checks`).to.equal(false);
      }
      expect(unsentBytesOf(socket)).to.be.above(0);
    });

    it('no longer, is closed after the limit, counted from the last byte', () => {
      const socket = Object.assign(new Socket(), { _handle: { writeQueueSize: 0 } });
      const watch = createStallWatch(LIMITS);
      watch.add(socket);
      for (const bytes of [0, 0, 0, 0, 0, 9, 9, 9, 8, 8, 8]) {
        socket._handle.writeQueueSize = bytes;
        watch.check();
        expect(socket.destroyed).to.equal(false);
      }
      Object.assign(socket, { _handle: { writeQueueSize: 8, close: () => undefined } });
      watch.check();
      expect(socket.destroyed).to.equal(true);
    });
  });

  describe('with a client that stops in the middle', () => {
    it('has limits for every stage', async () => {
      await listen((_, response) => response.end());
      expect(server).to.include({
        headersTimeout: 15_000,
        requestTimeout: 30_000,
        keepAliveTimeout: 5000,
        timeout: 60_000,
      });
    });

    for (const [what, bytes] of [
      ['of a head', 'GET / HTTP/1.1\r\nHost'],
      ['of a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
    ] as const) {
      it(`${what} is rejected and closed`, async () => {
        await listen((request) => void request.resume(), { headMs: 50, requestMs: 100, checkMs: 20 });
        const [answer] = answersIn(await exchangeRaw(port, bytes));
        expect(answer).to.include({ status: 400 });
        expect(JSON.parse(answer!.body)).to.have.property('message', 'The request did not arrive in time.');
      });
    }

    it('before its first byte, or between requests, is closed', async () => {
      await listen((_, response) => response.end('well'), { headMs: 50, requestMs: 100, checkMs: 20, idleMs: 50 });
      await exchangeRaw(port);
      expect(answersIn(await exchangeRaw(port, GET))).to.have.nested.property('[0].status', 200);
    });
  });
});
