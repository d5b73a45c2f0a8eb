// The HTTP server: what Node would answer by itself with an empty body is answered as JSON too; and how it ends.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { answerConnect, answerUnreadable } from './unreadable.js';

const REQUEST_TIMEOUT_MS = 30_000;
/** While a client that is busy on its connection hears `Connection: close` with its next answer. */
const IDLE_GRACE_MS = 1000;
/** What is still open after this is cut off; the process is to be gone within 10 s, and closing what it holds takes some of them. */
const CUT_OFF_MS = 5000;

export function httpServer(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
  // A request without Host is refused by the application, with a reason.
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false }, handle);
  server.on('connection', (socket) => {
    // Read now, it is remembered; once the other end has reset the connection, nobody can tell any more whose budget is spent.
    if (socket.remoteAddress === undefined) socket.destroy();
  });
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', handle);
  server.on('connect', answerConnect);
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
