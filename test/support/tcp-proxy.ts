// TCP proxy in front of a server. The test can cut connections, and can hold, drop or delay data.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

type Mode = 'open' | 'drop-answers' | 'hold';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  hasLost: boolean;
  /** True if all further responses on this connection are dropped, in every mode. */
  hangs: boolean;
  /** Delayed parts of responses, oldest first. */
  readonly late: { readonly chunk: Buffer; readonly dueMs: number }[];
}

/** Starts a proxy on a free port of 127.0.0.1. The proxy forwards to the port `first`. */
export async function startTcpProxy(first: number) {
  let target = first;
  const pairs = new Set<Pair>();
  let mode: Mode = 'open';
  let delayMs = 0;
  let held: (() => void)[] = [];
  let hanging = { to: '', count: 0 };

  function destroy(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }
  const pass = (to: Socket, chunk: Buffer): void => {
    if (!to.destroyed) to.write(chunk);
  };
  function answer(pair: Pair, chunk: Buffer): void {
    if (mode === 'drop-answers' || pair.hangs) pair.hasLost = true;
    else if (mode === 'hold') held.push(() => pass(pair.client, chunk));
    else if (delayMs > 0 || pair.late.length > 0) answerLater(pair, { chunk, dueMs: performance.now() + delayMs });
    else pass(pair.client, chunk);
  }
  /**
   * Sends the part of a response when its delay has passed. Keeps the order of the parts, even if the delay changes.
   */
  function answerLater({ client, late }: Pair, piece: Pair['late'][number]): void {
    function passNext(): void {
      const [first] = late;
      if (!first) return;
      setTimeout(
        () => {
          late.shift();
          if (mode === 'hold') held.push(() => pass(client, first.chunk));
          else pass(client, first.chunk);
          passNext();
        },
        Math.max(0, first.dueMs - performance.now()),
      );
    }
    late.push(piece);
    if (late.length === 1) passNext();
  }

  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { client, server, hasLost: false, hangs: false, late: [] };
    pairs.add(pair);
    client.on('data', (chunk) => {
      if (hanging.count > 0 && !pair.hangs && chunk.includes(hanging.to)) {
        hanging.count -= 1;
        pair.hangs = true;
      }
      if (mode === 'hold') held.push(() => pass(server, chunk));
      else pass(server, chunk);
    });
    server.on('data', (chunk) => answer(pair, chunk));
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => destroy(pair));
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');

  return {
    port: (listener.address() as AddressInfo).port,
    /** Forwards new connections to this port. Open connections do not change. */
    leadTo: (port: number): void => void (target = port),
    /** Resets all open connections (RST). New connections are possible. */
    cut(): void {
      for (const pair of pairs) {
        pair.client.resetAndDestroy();
        destroy(pair);
      }
    },
    /** Forwards requests but drops all responses from now on. Dropped responses are lost, even after `open`. */
    dropAnswers: (): void => void (mode = 'drop-answers'),
    /** Drops all responses on the next `count` connections that send a request with the text `to`. */
    hangAfter: (to: string, count: number): void => void (hanging = { to, count }),
    /** Holds all data in both directions from now on. New connections are accepted, but get no data. */
    hold: (): void => void (mode = 'hold'),
    /** Delays all parts of responses by `ms` from now on. */
    delayAnswers: (ms: number): void => void (delayMs = ms),
    /** Forwards all data again, starting with the held data. Closes connections on which responses were dropped. */
    open(): void {
      mode = 'open';
      delayMs = 0;
      hanging.count = 0;
      const flushed = held;
      held = [];
      for (const forward of flushed) forward();
      for (const pair of pairs) if (pair.hasLost) destroy(pair);
    },
    async close(): Promise<void> {
      for (const pair of pairs) destroy(pair);
      listener.close();
      await once(listener, 'close');
    },
  };
}
