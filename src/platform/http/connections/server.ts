// HTTP server: its limits and its shutdown.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { rejectMalformed, rejectTunnel } from './malformed-request.js';
import { createStallWatch } from './stalled-connections.js';

export interface ConnectionLimits {
  readonly maxHeadBytes: number;
  /**
   * Time limit in ms for the head of a request. For the first request of a connection, the time starts when the
   * connection opens. For further requests, it starts with the first byte of the head.
   */
  readonly headMs: number;
  /** Time limit in ms for a whole request. */
  readonly requestMs: number;
  /** Interval in ms between two checks of the time limits and of unsent data. */
  readonly checkMs: number;
  /** Maximum time in ms that an open connection waits for its next request. */
  readonly idleMs: number;
  /**
   * Time limit in ms during a response. The connection is closed if no byte is sent or received for this time. It is
   * also closed if the client reads nothing for this time, although data is waiting.
   */
  readonly stallMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  maxHeadBytes: 16 * 1024,
  headMs: 15_000,
  requestMs: 30_000,
  checkMs: 5000,
  idleMs: 5000,
  stallMs: 60_000,
};
/**
 * Time in ms for which idle connections stay open at shutdown. Responses during this time have the header `Connection:
 * close`.
 */
const IDLE_GRACE_MS = 1000;
/**
 * Time in ms after which open connections are destroyed at shutdown. The process must end within 10 s, and it needs
 * some of that time to close its stores.
 */
const CUT_OFF_MS = 5000;

export function createHttpServer(handle: RequestListener, limits = CONNECTION_LIMITS): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeadBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.idleMs,
      // Node must not reject requests without Host, because the application sends a better explanation.
      requireHostHeader: false,
    },
    handle,
  );
  server.timeout = limits.stallMs;
  const stalls = createStallWatch(limits);
  server.on('connection', (socket) => {
    // Reading the address now makes Node cache it. After a reset of the connection, Node could not read it any more,
    // and the client's rate limit could not be applied.
    if (socket.remoteAddress === undefined) socket.destroy();
    else stalls.add(socket);
  });
  const checks = setInterval(() => stalls.check(), limits.checkMs).unref();
  server.once('close', () => clearInterval(checks));
  server.on('clientError', rejectMalformed);
  server.on('connect', rejectTunnel);
  server.on('checkExpectation', handle);
  return server;
}

/** Stops accepting connections and waits for active requests. Resolves when the last connection has ended. */
export async function drained(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // `http.Server.close` would close idle connections immediately, and lose requests that are arriving on them.
  NetServer.prototype.close.call(server);
  const idle = setTimeout(() => server.closeIdleConnections(), IDLE_GRACE_MS);
  const cutOff = setTimeout(() => server.closeAllConnections(), CUT_OFF_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cutOff);
}
