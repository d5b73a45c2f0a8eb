// Connections whose client takes nothing of its answer: closed in time, whatever was sent before.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface StallLimits {
  /** Without a byte of the answer taken. */
  readonly stallMs: number;
  /** How often this is looked at. */
  readonly checkMs: number;
}

interface Progress {
  readonly unsentBytes: number;
  /** Checks since which it has not changed. */
  readonly checks: number;
}

/**
 * Closes connections within `checkMs` after `stallMs`. `server.timeout` would take up to twice as long: it compares what
 * is unsent only when it expires, and by then some has always gone into the system's own buffer.
 */
export function closeStalled(server: Server, { stallMs, checkMs }: StallLimits): void {
  const connections = new Map<Socket, Progress>();

  function check(socket: Socket, { unsentBytes: before, checks }: Progress): void {
    const unsentBytes = unsentBytesOf(socket);
    // More than before is a new answer, or a further page of one, written when the last was taken.
    if (unsentBytes === 0 || unsentBytes !== before) connections.set(socket, { unsentBytes, checks: 0 });
    else if ((checks + 1) * checkMs >= stallMs) socket.destroy();
    else connections.set(socket, { unsentBytes, checks: checks + 1 });
  }

  server.on('connection', (socket) => {
    connections.set(socket, { unsentBytes: 0, checks: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) check(socket, progress);
  }, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** Falls while a write is under way, which `writableLength` alone does not: it counts a write until all of it was taken. */
function unsentBytesOf(socket: Socket): number {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  const isStream = typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
  return socket.writableLength + (isStream ? Number(handle.writeQueueSize) : 0);
}
