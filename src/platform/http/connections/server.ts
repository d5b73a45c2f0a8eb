// The HTTP server: its limits, and its shutdown.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { rejectMalformed, rejectTunnel } from './malformed-request.js';
import { createStallWatch } from './stalled-connections.js';

export interface ConnectionLimits {
  readonly maxHeadBytes: number;
  /** Time in ms for the head of a request to arrive, from its first byte or from the start of the connection. */
  readonly headMs: number;
  /** Time in ms for a whole request to arrive. */
  readonly requestMs: number;
  /** Interval in ms of the checks of these limits and of unsent data. */
  readonly checkMs: number;
  /** Time in ms until the next request on a connection. */
  readonly idleMs: number;
  /**
   * Time in ms without a byte in either direction during a response, and time for which a client may read nothing of
   * its response.
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
/** Time in ms for active clients to receive `Connection: close` with their next response. */
const IDLE_GRACE_MS = 1000;
/**
 * Time in ms after which open connections are cut off. The process must end within 10 s, and closing its stores takes
 * some of that.
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
      // The application rejects a request without Host, and gives a reason.
      requireHostHeader: false,
    },
    handle,
  );
  server.timeout = limits.stallMs;
  const stalls = createStallWatch(limits);
  server.on('connection', (socket) => {
    // Node caches the address here. After a reset it is no longer available, and the client's rate limit could not be
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

/** Stops accepting connections, waits for active requests, and resolves when the last connection has ended. */
export async function drained(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // http.Server.close would also end idle connections immediately, and so lose requests that are just arriving there.
  NetServer.prototype.close.call(server);
  const idle = setTimeout(() => server.closeIdleConnections(), IDLE_GRACE_MS);
  const cutOff = setTimeout(() => server.closeAllConnections(), CUT_OFF_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cutOff);
}
