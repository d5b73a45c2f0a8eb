// The HTTP server: what Node would answer by itself with an empty body is answered as JSON too.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerUnreadable } from './unreadable.js';

const REQUEST_TIMEOUT_MS = 30_000;

export function httpServer(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
  // A request without Host is refused by the application, with a reason.
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false }, handle);
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', handle);
  return server;
}
