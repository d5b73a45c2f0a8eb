// One HTTP connection: its maximum lifetime, and the response to bytes that are not an HTTP request.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  CONNECTION_LIMITS,
  createHttpServer,
  drained,
  type ConnectionLimits,
} from '../../../src/platform/http/connections/server.js';
import { createStallWatch, unsentBytesOf } from '../../../src/platform/http/connections/stalled-connections.js';
import { eventually } from '../../support/auth.js';
import { answersIn, deafClient, exchangeRaw } from '../../support/raw-connection.js';

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

  async function serverEnd(): Promise<Socket> {
    const [socket] = (await once(server, 'connection')) as [Socket];
    return socket;
  }

  afterEach(() => {
    for (const socket of clients.splice(0)) socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  it('answers pipelined requests in order', async () => {
    await listen(({ url }, response) => setTimeout(() => response.end(url), url === '/x' ? 20 : 0));
    expect(answersIn(await exchangeRaw(port, GET + LAST + GET)).map(({ body }) => body)).to.deep.equal(['/x', '/last']);
  });

  describe('with bytes that are not a request', () => {
    it('answers 400 as JSON once, and is closed', async () => {
      await listen(({ url }, response) => response.end(url));
      const nonsense = 'no HTTP\r\n\r\n';
      for (const packets of [[nonsense], [nonsense, nonsense, nonsense], [GET, nonsense]]) {
        const answers = answersIn(await exchangeRaw(port, ...packets));
        expect(answers.map(({ status }) => status)).to.deep.equal(packets[0] === GET ? [200, 400] : [400]);
        expect(JSON.parse(answers.at(-1)!.body)).to.have.property('error', 'invalid_request');
        expect(answers.at(-1)!.head).to.match(/^Connection: close$/m);
      }
    });

    it('answers 400 to a broken body, unless its response has started', async () => {
      await listen((request, response) => {
        if (request.url === '/begun') response.write('begun');
        request.resume().on('error', () => undefined);
      });
      const broken = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const [answer, ...others] = answersIn(await exchangeRaw(port, broken('/x'), 'no size\r\n'));
      expect(answer).to.include({ status: 400 });
      expect(others).to.deep.equal([]);
      const begun = await exchangeRaw(port, broken('/begun'), 'no size\r\n');
      expect(begun)
        .to.match(/^HTTP\/1\.1 200 OK/)
        .and.not.include('400 Bad Request');
    });

    it('names the request line and the headers when they are too long together', async () => {
      await listen(({ url }, response) => response.end(url));
      const long = 'x'.repeat(20_000);
      for (const head of [`GET /${long} HTTP/1.1\r\n\r\n`, `GET / HTTP/1.1\r\nX: ${long}\r\n\r\n`]) {
        const [answer] = answersIn(await exchangeRaw(port, head));
        expect(answer).to.include({ status: 400 });
        expect(JSON.parse(answer!.body)).to.have.property(
          'message',
          'The request line and the headers exceed 16 KB in total.',
        );
      }
    });
  });

  it('answers 400 to CONNECT, and is closed although the client keeps its side open', async () => {
    await listen((_, response) => response.end());
    const client = deaf('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    client.resume();
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answersIn(answer.toString())[0]).to.include({ status: 400 });
    await drained(server);
    expect(client.writable).to.equal(true);
  });

  describe('whose client takes its answer', () => {
    const BODY = Buffer.alloc(32 * 1024 * 1024);
    const LIMITS = { stallMs: 15, checkMs: 5 };

    /** Opens a connection with a response that is too large for the buffers of the operating system. */
    async function answered(): Promise<{ readonly client: Socket; readonly socket: Socket }> {
      await listen((_, response) => void response.end(BODY), { checkMs: 2 ** 30 });
      const end = serverEnd();
      const client = deaf(GET);
      const socket = await end;
      await eventually(() => unsentBytesOf(socket) > 0, 'answer that waits');
      return { client, socket };
    }

    it('is closed by the check if it reads nothing, for any server timeout', async () => {
      await listen((_, response) => void response.end(BODY), { stallMs: 60, checkMs: 20 });
      server.timeout = 0;
      const end = serverEnd();
      deaf(GET);
      await once(await end, 'close');
    });

    it('stays open if it reads slowly but regularly', async () => {
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

    it('is closed after the limit, counted from the last byte, if it stops reading', () => {
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
      it(`rejects and closes ${what}`, async () => {
        await listen((request) => void request.resume(), { headMs: 50, requestMs: 100, checkMs: 20 });
        const [answer] = answersIn(await exchangeRaw(port, bytes));
        expect(answer).to.include({ status: 400 });
        expect(JSON.parse(answer!.body)).to.have.property('message', 'The request did not arrive in time.');
      });
    }

    it('is closed before its first byte, or between requests', async () => {
      await listen((_, response) => response.end('well'), { headMs: 50, requestMs: 100, checkMs: 20, idleMs: 50 });
      await exchangeRaw(port);
      expect(answersIn(await exchangeRaw(port, GET))).to.have.nested.property('[0].status', 200);
    });
  });
});
