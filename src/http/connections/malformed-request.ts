// Answers, straight to the socket, to malformed requests that Node never hands to the application.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, invalidField } from '../../errors.js';
import type { Exchange, Handle, Pipeline } from './pipeline.js';
import { unencodedTarget } from '../request/request-head.js';
import { framingFault } from './request-framing.js';
import { errorReply } from '../response/reply.js';
import { requestIdOf } from '../request/request-id.js';

/** Time for the client to read the answer and to close its side; then the connection is closed whatever it does. */
const LINGER_MS = 1000;

/** Reason of the parser (llhttp) for a control character or a byte of raw UTF-8. */
const UNENCODED = /^Invalid char in url (?:path|query)$/;

/** As Node gives it to listeners of `clientError`. */
interface ParseError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** The bytes that were being parsed, and how far. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Listener of a server's `clientError`: bytes that are no HTTP request, or that did not arrive in time. */
export function malformedRequestListener(pipeline: Pipeline) {
  return (error: ParseError, socket: Duplex): void => {
    const exchange = pipeline.answering(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (exchange?.request.complete === false) rejectRest(error, socket, exchange);
    else pipeline.afterAnswers(socket, () => rejectRequest(socket, faultOf(error), { hasBody: !isHead(error) }));
  };
}

/** The request under way cannot be read to its end: this is its answer, unless it has one. */
function rejectRest(error: ParseError, socket: Duplex, { request, response }: Exchange): void {
  if (response.headersSent) socket.destroy();
  else rejectRequest(socket, faultOf(error), { hasBody: request.method !== 'HEAD', requestId: requestIdOf(request) });
}

/** Listener of requests that the parser takes: those with faulty framing are rejected, the others handled. */
export function requestListener(pipeline: Pipeline): Handle {
  return (request, response) => {
    const { socket, method } = request;
    const fault = pipeline.isOpen(socket) ? framingFault(request) : undefined;
    if (!fault) {
      pipeline.handle(request, response);
      return;
    }
    const options = { hasBody: method !== 'HEAD', requestId: requestIdOf(request) };
    pipeline.afterAnswers(socket, () => rejectRequest(socket, fault, options));
  };
}

/** Listener of a server's `connect`: without it Node ends the connection and says nothing. */
export function connectListener(pipeline: Pipeline) {
  return (request: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => socket.destroy());
    // Node no longer reads from the socket, and an unread socket never emits `end`.
    socket.resume();
    const error = invalidField('request target', 'must be a path; this is no proxy', 'a path that begins with /');
    pipeline.afterAnswers(socket, () => rejectRequest(socket, error, { requestId: requestIdOf(request) }));
  };
}

interface RejectionOptions {
  readonly hasBody?: boolean;
  readonly requestId?: string;
}

function rejectRequest(
  socket: Duplex,
  error: AppError,
  { hasBody = true, requestId = randomUUID() }: RejectionOptions,
): void {
  // Rejected already: each further packet is an error of its own.
  if (!socket.writable) return;
  const { headers, body } = errorReply(error);
  const fields = headers.flatMap((group) => Object.entries(group)).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body ?? '');
  socket.end(
    `HTTP/1.1 400 Bad Request\r\n${fields.join('')}X-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${length}\r\nConnection: close\r\n\r\n${hasBody ? String(body) : ''}`,
  );
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

/** As far as the packet shows where its request begins: after an empty line, or at the start. */
function isHead({ rawPacket, bytesParsed = 0 }: ParseError): boolean {
  if (!rawPacket) return false;
  const parsed = rawPacket.subarray(0, bytesParsed);
  const end = parsed.lastIndexOf('\r\n\r\n');
  return rawPacket.toString('latin1', end === -1 ? 0 : end + 4).startsWith('HEAD ');
}

function faultOf({ code, reason = '' }: ParseError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('invalid_request', 'The request line or a header is too long: together they may have 16 KB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('invalid_request', 'The request did not arrive in time.');
  if (UNENCODED.test(reason)) return unencodedTarget();
  return new AppError('invalid_request', 'This is not a valid HTTP/1.1 request.');
}
