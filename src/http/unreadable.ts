// What is answered to bytes that are no HTTP request: they never reach the application.
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { AppError } from '../errors.js';
import { errorReply } from './reply.js';

/** Listener of a server's `clientError`. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { head, body } = errorReply(new AppError('invalid_request', reasonOf(error.code)));
  const fields = Object.entries(Object.assign({}, ...head) as Record<string, string>).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body ?? '');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${fields.join('')}X-Request-Id: ${randomUUID()}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${String(body)}`);
}

function reasonOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The header fields are larger than 16 KB.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.';
  return 'This is not a valid HTTP/1.1 request.';
}
