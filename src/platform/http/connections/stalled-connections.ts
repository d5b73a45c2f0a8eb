// Stalled connections: detects clients that read nothing of their response, and closes their connections.
import type { Socket } from 'node:net';

interface StallLimits {
  /** Time in ms without a byte of the response being read. */
  readonly stallMs: number;
  /** Interval in ms between calls of `check`. */
  readonly checkMs: number;
}

interface Progress {
  readonly unsentBytes: number;
  /** Number of checks since the value changed. */
  readonly checks: number;
}

/**
 * Creates the watch. `server.timeout` alone takes up to twice as long: it compares the unsent bytes only when it
 * expires, and the first time some have always moved into the system's buffer.
 */
export function createStallWatch({ stallMs, checkMs }: StallLimits) {
  const maxChecks = Math.ceil(stallMs / checkMs);
  const sockets = new Map<Socket, Progress>();
  return {
    add(socket: Socket): void {
      sockets.set(socket, { unsentBytes: 0, checks: 0 });
      socket.once('close', () => sockets.delete(socket));
    },
    /** Destroys the sockets with no byte read for `stallMs`. */
    check(): void {
      for (const [socket, before] of sockets) {
        const unsentBytes = unsentBytesOf(socket);
        // A higher number belongs to a new response or its next part, written after the client had read everything
        // before it.
        const isStalled = unsentBytes > 0 && unsentBytes === before.unsentBytes;
        const checks = isStalled ? before.checks + 1 : 0;
        if (checks >= maxChecks) socket.destroy();
        else sockets.set(socket, { unsentBytes, checks });
      }
    },
  };
}

/**
 * Returns the number of unsent bytes. It falls during a write. `writableLength` alone counts a write until the client
 * has read all of it.
 */
export function unsentBytesOf(socket: Socket): number {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  const isStream = typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
  return socket.writableLength + (isStream ? Number(handle.writeQueueSize) : 0);
}
