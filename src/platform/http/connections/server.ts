// The HTTP server: its limits, and how it ends.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { rejectMalformed, rejectTunnel } from './malformed-request.js';
import { createStallWatch } from './stalled-connections.js';

export interface ConnectionLimits {
  readonly maxHeadBytes: number;
  /** For the head of a request to arrive, from its first byte or from the opening of the connection. */
  readonly headMs: number;
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** How often these, and what is unsent, are looked at. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly idleMs: number;
  /** Without a byte moving either way while a request is answered, and for a client that reads nothing of its answer. */
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
/** For active clients to receive `Connection: close` with their next answer. */
const IDLE_GRACE_MS = 1000;
/**
 * Connections that are still open after this are cut off: the process is to be gone within 10 s, and closing its stores
 * takes some of them.
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
      // A request without Host is rejected by the application, with a reason.
      requireHostHeader: false,
    },
    handle,
  );
  server.timeout = limits.stallMs;
  const stalls = createStallWatch(limits);
  server.on('connection', (socket) => {
    // Node caches it here. After a reset it is no longer available, and the rate limit of the client could not be
    // found.
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

/** Stops accepting, lets what is in flight finish, and resolves when the last connection has ended. */
export async function drained(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // http.Server.close would also end idle connections at once, and with them the requests that are just arriving there.
  NetServer.prototype.close.call(server);
  const idle = setTimeout(() => server.closeIdleConnections(), IDLE_GRACE_MS);
  const cutOff = setTimeout(() => server.closeAllConnections(), CUT_OFF_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cutOff);
}
