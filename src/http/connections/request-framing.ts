// Checks of request line and framing for what Node's parser accepts and RFC 9112 does not.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { invalidField, type AppError } from '../../errors.js';

/** Undocumented: the packet that the parser reads right now, as a copy. */
interface ParsedSocket {
  readonly parser?: { readonly getCurrentBuffer?: () => Buffer | undefined } | null;
}

/** The characters between and behind method, target and version, and the line that ends the head. */
const LINE_EXTRA = '  HTTP/1.1\r\n\r\n'.length;
/** `: ` or the end of the line, after each name and each value. */
const FIELD_EXTRA = 2;

/** Bytes of a connection that had arrived with its request before. */
const bytesBefore = new WeakMap<Socket, { read: number }>();

/** To be called once for every request of a connection, while the parser reads it. */
export function framingFault(request: IncomingMessage): AppError | undefined {
  if (hasSurplusSpaces(request))
    return invalidField('request line', 'has more than one space in a row', 'METHOD target HTTP/1.1');
  // RFC 9112, section 6.1: such framing is faulty, and the connection must be closed.
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
    return invalidField('Transfer-Encoding', 'not in HTTP/1.0', 'Content-Length');
  return undefined;
}

/**
 * RFC 9112, section 3: single spaces. Copying the packet takes 2 to 3 µs, so it is looked at only where the number of
 * bytes that arrived is not that of a head written as clients write it. Not found: surplus spaces in a packet before the
 * last of the head, and as many of them as spaces are missing after colons; both are harmless.
 */
function hasSurplusSpaces(request: IncomingMessage): boolean {
  if (arrivedBytes(request.socket) === usualHeadBytes(request)) return false;
  const packet = (request.socket as ParsedSocket).parser?.getCurrentBuffer?.();
  const line = `${request.method} ${request.url} HTTP/${request.httpVersion}`;
  if (packet === undefined || packet.includes(line, 0, 'latin1')) return false;
  return packet.toString('latin1').replaceAll(/ {2,}/g, ' ').includes(line);
}

function arrivedBytes(socket: Socket): number {
  const read = socket.bytesRead;
  const before = bytesBefore.get(socket);
  if (!before) {
    bytesBefore.set(socket, { read });
    return read;
  }
  const arrived = read - before.read;
  before.read = read;
  return arrived;
}

function usualHeadBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + FIELD_EXTRA, method.length + url.length + LINE_EXTRA);
}
