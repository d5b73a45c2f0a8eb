// Picture requests while many clients send requests to /auth.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { ask } from '../support/auth.js';
import { startServer, suiteServer, type TestServer } from '../support/server.js';

const CROWD = 300;

function requestText(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const fields = Object.entries({ Host: 'icons.example', 'Content-Length': String(body.length), ...headers });
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

async function statusOf(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
}

/**
 * Opens a connection and waits for a response. The service accepts one new connection per iteration of the event loop,
 * so the test opens all connections before the flood.
 */
async function openSocket({ base }: TestServer): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(requestText('GET', '/healthz', {}));
  expect(await statusOf(socket)).to.equal('200');
  return socket;
}

describe('a flood of sign-ins', () => {
  const server = suiteServer({ TRUST_PROXY: '1' });

  it('does not delay a picture until all of them are answered', async () => {
    const key = await server.key();
    // Uses up the rate limits first, so that the service rejects each request of the flood immediately.
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'not that pass phrase' });
    const login = (from: number) =>
      requestText(
        'POST',
        '/auth/login',
        { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${from % 250}` },
        body,
      );
    for (let count = 0; count < 10; count++) {
      await fetch(`${server.base}/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.1' },
        body,
      });
    }

    const sockets = await Promise.all(Array.from({ length: CROWD + 1 }, () => openSocket(server)));
    const answers: { readonly index: number; readonly status: string }[] = [];
    const answered = sockets.map(async (socket, index) => {
      const status = await statusOf(socket);
      answers.push({ index, status });
    });
    for (const [index, socket] of sockets.entries()) {
      socket.write(index < CROWD ? login(index) : requestText('GET', '/v1/svg/github', { 'X-API-Key': key }));
    }
    await Promise.all(answered);
    for (const socket of sockets) socket.destroy();

    const place = answers.findIndex(({ index }) => index === CROWD);
    expect(answers[place]?.status).to.equal('200');
    expect(answers.filter(({ status }) => status === '429')).to.have.length(CROWD);
    expect(place, 'answered before it').to.be.below(CROWD / 3);
  });

  it('logs no error if its connections close early', async () => {
    const sockets = await Promise.all(Array.from({ length: CROWD }, () => openSocket(server)));
    for (const socket of sockets) {
      socket.write(
        requestText(
          'POST',
          '/auth/reset-password',
          { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.5' },
          '{"token":"x"'.padEnd(20),
        ),
      );
      socket.resetAndDestroy();
    }
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
    const again = await openSocket(server);
    again.destroy();
    expect(server.errors()).to.deep.equal([]);
  });
});

describe('a client that resets its connection', () => {
  it('is still recorded with its address in rate limits and security events', async () => {
    const server = await startServer();
    try {
      const { email, accessToken } = await server.customer();
      const body = JSON.stringify({ email, password: 'not that pass phrase' });
      for (let count = 0; count < 3; count++) {
        const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
        await once(socket, 'connect');
        socket.write(requestText('POST', '/auth/login', { 'Content-Type': 'application/json' }, body));
        socket.resetAndDestroy();
      }
      // Sends a request that is not aborted, so that the activity contains at least one event.
      await ask(server, '/auth/login', { body: { email, password: 'not that pass phrase' } });
      const { body: record } = await ask(server, '/auth/activity', { method: 'GET', bearer: accessToken });
      const { events } = record as {
        readonly events: readonly { readonly type: string; readonly address: string | null }[];
      };
      const failures = events.filter(({ type }) => type === 'authn_login_fail');
      expect(failures).to.not.deep.equal([]);
      for (const { address } of failures) expect(address).to.equal('127.0.0.0/24');
    } finally {
      await server.close();
    }
  });
});
