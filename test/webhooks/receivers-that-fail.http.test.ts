// Receivers that are slow, close the connection, do not speak HTTP, or send more than the service reads.
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ask, eventually, from } from '../support/auth.js';
import { suiteServer } from '../support/server.js';

interface Delivery {
  readonly status: string;
  readonly tries: number;
  readonly nextTryAt: string | null;
  readonly lastTry: {
    readonly at: string;
    readonly httpStatus: number | null;
    readonly durationMs: number;
    readonly response: string;
  } | null;
}

type Answer = (socket: Socket) => void;

/** Number in the path of a request → response. Only the first request of a connection gets a response. */
const ANSWERS: Answer[] = [];
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function startRawReceiver(): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (head) => {
      const number = Number(/^POST \/(\d+)/.exec(head.toString('latin1'))?.[1]);
      ANSWERS[number]?.(socket);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const origin = await startRawReceiver();

describe('webhooks to receivers that fail', () => {
  const server = suiteServer({ TRUST_PROXY: '1', WEBHOOK_ORIGINS: origin });
  before(() => server.service.startJobs());
  after(() => {
    for (const socket of sockets) socket.destroy();
    for (const one of servers) one.close();
  });

  /** Sends a test event to a receiver that responds with `answer`. Returns the delivery after the first try. */
  async function firstTry(answer: Answer) {
    const { accessToken: bearer } = await server.customer('free');
    const url = `${origin}/${ANSWERS.push(answer) - 1}`;
    const added = await ask(server, '/auth/webhooks', {
      bearer,
      headers: from(),
      body: { url, kinds: ['webhook.test'] },
    });
    const path = `/auth/webhooks/${(added.body as { webhook: { id: string } }).webhook.id}`;
    expect((await ask(server, `${path}/test`, { method: 'POST', bearer, headers: from() })).status).to.equal(202);
    const delivery = await eventually(async () => {
      const { body } = await ask(server, `${path}/deliveries`, { method: 'GET', bearer, headers: from() });
      const [found] = (body as unknown as { deliveries: Delivery[] }).deliveries;
      return found && found.tries > 0 ? found : undefined;
    }, 'try');
    const { nextTryAt, lastTry } = delivery;
    const waitMs =
      nextTryAt && lastTry ? Date.parse(nextTryAt) - Date.parse(lastTry.at) - lastTry.durationMs : undefined;
    return { ...delivery, waitMs, lastTry: lastTry! };
  }

  const isRepeated = ({ status, waitMs }: Awaited<ReturnType<typeof firstTry>>) => {
    expect(status).to.equal('pending');
    expect(waitMs).to.be.within(5000, 5501);
  };

  it('give up after ten seconds without a complete response, and repeat the delivery', async function () {
    this.timeout(60_000);
    const [silent, slow] = await Promise.all([
      firstTry(() => undefined),
      firstTry((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nslow')),
    ]);
    for (const delivery of [silent, slow]) {
      isRepeated(delivery);
      expect(delivery.lastTry).to.include({ httpStatus: null });
      expect(delivery.lastTry.response).to.equal('There was no complete response within 10 s.');
      expect(delivery.lastTry.durationMs).to.be.at.least(9990);
    }
  });

  it('repeat the delivery if the response is not HTTP, or the connection is closed', async () => {
    const garbage = await firstTry((socket) => socket.end('This is not HTTP.\r\n\r\n'));
    isRepeated(garbage);
    expect(garbage.lastTry).to.include({ httpStatus: null, response: 'The response is not valid HTTP.' });
    for (const close of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.resetAndDestroy()]) {
      const closed = await firstTry((socket) => void close(socket));
      isRepeated(closed);
      expect(closed.lastTry).to.include({ httpStatus: null, response: 'The connection failed.' });
    }
    const cut = await firstTry((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\ncut'));
    isRepeated(cut);
    expect(cut.lastTry.httpStatus).to.equal(null);
  });

  it('keep the first KB of a response, and do not read the rest', async () => {
    let written = 0;
    const size = 64 * 2 ** 20;
    const delivery = await firstTry((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      const chunk = Buffer.alloc(2 ** 16, 'x');
      const more = (): void => {
        while (written < size && !socket.destroyed) {
          written += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
      };
      more();
    });
    expect(delivery).to.include({ status: 'delivered', nextTryAt: null });
    expect(delivery.lastTry).to.include({ httpStatus: 200, response: 'x'.repeat(1024) });
    expect(written).to.be.below(size);
  });

  it('take a status as it is, although the response is compressed and longer than 1 KB', async () => {
    const body = gzipSync(randomBytes(50_000).toString('hex'));
    const compressed = (status: string) => (socket: Socket) => {
      socket.write(`HTTP/1.1 ${status}\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.end(body);
    };
    const delivered = await firstTry(compressed('200 OK'));
    expect(delivered).to.include({ status: 'delivered', nextTryAt: null });
    const busy = await firstTry(compressed('503 Service Unavailable\r\nRetry-After: 3600'));
    expect(busy.lastTry).to.include({ httpStatus: 503 });
    expect(busy.waitMs).to.equal(3_600_000);
  });

  it('wait as long as Retry-After of a 429 or 503 says', async () => {
    const answer = (status: string, after: string) => (socket: Socket) =>
      void socket.end(`HTTP/1.1 ${status}\r\nRetry-After: ${after}\r\nContent-Length: 4\r\n\r\nbusy`);
    const [many, unavailable, failed] = await Promise.all([
      firstTry(answer('429 Too Many Requests', '3600')),
      firstTry(answer('503 Service Unavailable', new Date(Date.now() + 7_200_000).toUTCString())),
      firstTry(answer('500 Internal Server Error', '3600')),
    ]);
    expect(many.lastTry).to.include({ httpStatus: 429, response: 'busy' });
    expect(many.waitMs).to.equal(3_600_000);
    // The wait may be less than two hours. The date in `Retry-After` is in whole seconds, and some time passes between
    // the creation of this date and the first try.
    expect(unavailable.waitMs).to.be.within(7_000_000, 7_200_000);
    isRepeated(failed);
  });
});
