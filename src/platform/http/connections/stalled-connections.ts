// Detection of clients that do not read their response, and closing of their connections.
import type { Socket } from 'node:net';

interface StallLimits {
  /** Time in ms after which a connection is closed if its client reads nothing. */
  readonly stallMs: number;
  /** Interval in ms between calls of `check`. */
  readonly checkMs: number;
}

interface Progress {
  readonly unsentBytes: number;
  /** Number of checks since `unsentBytes` last changed. */
  readonly checks: number;
}

/**
 * Creates the detection of stalled connections. `server.timeout` alone may close a stalled connection only after twice
 * the timeout, because Node checks for progress only when the timeout expires. The first check always finds progress:
 * some bytes have moved to the system's buffer.
 */
export function createStallWatch({ stallMs, checkMs }: StallLimits) {
  const maxChecks = Math.ceil(stallMs / checkMs);
  const sockets = new Map<Socket, Progress>();
  return {
    add(socket: Socket): void {
      sockets.set(socket, { unsentBytes: 0, checks: 0 });
      socket.once('close', () => sockets.delete(socket));
    },
    /** Destroys sockets if their clients have read nothing for `stallMs`. */
    check(): void {
      for (const [socket, before] of sockets) {
        const unsentBytes = unsentBytesOf(socket);
        // If the number of unsent bytes increases, the client has read the previous part of the response, and the next
        // part was written.
        const isStalled = unsentBytes > 0 && unsentBytes === before.unsentBytes;
        const checks = isStalled ? before.checks + 1 : 0;
        if (checks >= maxChecks) socket.destroy();
        else sockets.set(socket, { unsentBytes, checks });
      }
    },
  };
}

/**
 * Returns a measure of the unsent bytes. `writableLength` stays the same until a whole write is sent. `writeQueueSize`
 * is added, because it decreases with each sent part of the write.
 */
export function unsentBytesOf(socket: Socket): number {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  const isStream = typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
  return socket.writableLength + (isStream ? Number(handle.writeQueueSize) : 0);
}
