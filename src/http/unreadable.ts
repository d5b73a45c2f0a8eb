// What is answered, straight to the socket, to what Node never hands to the application.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, invalidField } from '../errors.js';
import { errorReply } from './reply.js';
import { requestIdOf } from './request-id.js';

/** Listener of a server's `clientError`: bytes that are no HTTP request. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuse(socket, new AppError('invalid_request', reasonOf(error.code)), randomUUID());
}

/** Listener of a server's `connect`: without it Node ends the connection and says nothing. */
export function answerConnect(request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuse(socket, invalidField('request target', 'must be a path; this is no proxy', 'a path that begins with /'), requestIdOf(request));
}

function refuse(socket: Duplex, error: AppError, requestId: string): void {
  const { head, body } = errorReply(error);
  const fields = Object.entries(Object.assign({}, ...head) as Record<string, string>).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body ?? '');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${fields.join('')}X-Request-Id: ${requestId}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${String(body)}`);
}

function reasonOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The header fields are larger than 16 KB.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.';
  return 'This is not a valid HTTP/1.1 request.';
}
