// Responses to requests that Node's HTTP parser rejects. Node's own responses have no body.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../../errors.js';
import { unencodedTarget } from '../request/request-head.js';
import { errorReply } from '../response/reply.js';

/** Time in ms for which the connection stays open after the response, so that the client can read it. */
const LINGER_MS = 1000;

interface ParseError extends Error {
  readonly code?: string;
  /** The HTTP parser's (llhttp) explanation of the error. */
  readonly reason?: string;
  readonly rawPacket?: Buffer;
}

/**
 * Handles a server's event `clientError`. If a response has already started, writes nothing, like Node's default
 * handler.
 */
export function rejectMalformed(error: ParseError, socket: Duplex & { _httpMessage?: ServerResponse | null }): void {
  // Data after a request with `Connection: close` must be ignored (RFC 9112, section 9.6).
  if (socket.writableEnded || error.code === 'HPE_CLOSED_CONNECTION') return;
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const isHead = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
  const { headers, body } = errorReply(faultOf(error));
  const fields = headers.flatMap((group) => Object.entries(group)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\n${fields.join('')}X-Content-Type-Options: nosniff\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body ?? '')}\r\nConnection: close\r\n\r\n${isHead ? '' : String(body)}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Handles a server's event `connect`. Without a handler, Node closes the connection without a response. */
export function rejectTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy()).resume();
  rejectMalformed(new Error('CONNECT'), socket);
}

function faultOf({ code, reason = '' }: ParseError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('invalid_request', 'The request line and the headers exceed 16 KB in total.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('invalid_request', 'The request did not arrive in time.');
  // The URL contains a control character or unencoded UTF-8.
  if (/^Invalid char in url (?:path|query)$/.test(reason)) return unencodedTarget();
  return new AppError('invalid_request', 'This is not a valid HTTP/1.1 request.');
}
