// Response bodies that are made while they are sent. The tests use real sockets, and clients that read slowly, pause,
// disconnect or get an error.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { streamBody } from '../../../src/platform/http/response/stream-body.js';

const CHUNK = 'x'.repeat(64 * 1024);
/** Maximum number of bytes in the kernel's buffers at both ends of a connection. */
const MOST_ON_THE_WAY = 32 * 1024 * 1024;

const MOST_LOOKS = 2000;

interface Source {
  readonly chunks: AsyncGenerator<string, void>;
  pulled: number;
  ended: boolean;
}

function sourceOf(count: number, failAt = Infinity): Source {
  const source: Source = { chunks: made(), pulled: 0, ended: false };
  return source;

  async function* made(): AsyncGenerator<string, void> {
    try {
      for (let index = 0; index < count; index++) {
        if (index === failAt) throw new Error('the store is gone');
        source.pulled++;
        yield CHUNK;
      }
    } finally {
      source.ended = true;
    }
  }
}

async function until(look: () => boolean): Promise<void> {
  for (let looks = 0; !look(); looks++) {
    if (looks === MOST_LOOKS) throw new Error('it did not happen');
    await sleep(5);
  }
}

/** Resolves when no one has read from the source for 100 ms. */
async function atRest(source: Source): Promise<void> {
  for (let before = -1; before !== source.pulled;) {
    before = source.pulled;
    await sleep(100);
  }
}

describe('chunks that are streamed', () => {
  let server: Server;
  let outcomes: Promise<unknown>[];
  let next: Source;
  beforeEach(async () => {
    outcomes = [];
    server = createServer((request, response) => {
      response.writeHead(200, ['Content-Type', 'text/plain']);
      if (request.url === '/slow') return;
      outcomes.push(streamBody(request, response, next.chunks).catch((error: unknown) => error));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const port = () => (server.address() as AddressInfo).port;
  async function ask(source: Source): Promise<IncomingMessage> {
    next = source;
    const [response] = (await once(get({ port: port(), host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    return response;
  }

  it('arrive completely, and end', async () => {
    const source = sourceOf(50);
    const response = await ask(source);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect([bytes, source.pulled, source.ended]).to.deep.equal([50 * CHUNK.length, 50, true]);
    expect(await outcomes[0]).to.equal(undefined);
    expect(response.headers['transfer-encoding']).to.equal('chunked');
  });

  it('are not made before the client reads them', async () => {
    const source = sourceOf(100_000);
    const response = await ask(source);
    await atRest(source);
    expect(source.pulled * CHUNK.length).to.be.below(MOST_ON_THE_WAY);
    response.destroy();
  });

  it('are no longer made after the client has disconnected', async () => {
    const source = sourceOf(100_000);
    const response = await ask(source);
    await atRest(source);
    response.destroy();
    await until(() => source.ended);
    const { pulled } = source;
    await atRest(source);
    expect([source.pulled, await outcomes[0]]).to.deep.equal([pulled, undefined]);
  });

  it('close the connection if they fail, so that nobody mistakes them for complete', async () => {
    const source = sourceOf(50, 3);
    const response = await ask(source);
    let bytes = 0;
    const end = await (async () => {
      for await (const chunk of response) bytes += (chunk as Buffer).length;
    })().then(
      () => 'complete',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    expect(end).to.equal('ECONNRESET');
    expect(bytes).to.be.at.most(3 * CHUNK.length);
    expect([response.complete, source.ended]).to.deep.equal([false, true]);
    expect(String(await outcomes[0])).to.include('the store is gone');
  });

  it('are returned if the client left before their start, behind another response on its connection', async () => {
    const source = sourceOf(100_000);
    next = source;
    const socket = connect(port(), '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => source.pulled > 0);
    await atRest(source);
    expect(source.pulled).to.be.below(10);
    socket.destroy();
    await until(() => source.ended);
    expect(await outcomes[0]).to.equal(undefined);
  });
});
