// Stalled connections: those whose client takes nothing of its answer, closed in time.
import type { Socket } from 'node:net';

interface StallLimits {
  /** Without a byte of the answer taken. */
  readonly stallMs: number;
  /** How often `check` is called. */
  readonly checkMs: number;
}

interface Progress {
  readonly unsentBytes: number;
  /** Checks since it changed. */
  readonly checks: number;
}

/**
 * `server.timeout` alone takes up to twice as long: it compares what is unsent only when it expires, and the first time
 * some has always gone into the buffer of the system.
 */
export function createStallWatch({ stallMs, checkMs }: StallLimits) {
  const maxChecks = Math.ceil(stallMs / checkMs);
  const sockets = new Map<Socket, Progress>();
  return {
    add(socket: Socket): void {
      sockets.set(socket, { unsentBytes: 0, checks: 0 });
      socket.once('close', () => sockets.delete(socket));
    },
    /** Destroys the sockets of which nothing was taken for `stallMs`. */
    check(): void {
      for (const [socket, before] of sockets) {
        const unsentBytes = unsentBytesOf(socket);
        // More of them are a new answer or its next part, written when the client had taken all before it.
        const isStalled = unsentBytes > 0 && unsentBytes === before.unsentBytes;
        const checks = isStalled ? before.checks + 1 : 0;
        if (checks >= maxChecks) socket.destroy();
        else sockets.set(socket, { unsentBytes, checks });
      }
    },
  };
}

/** Falls while a write is under way; `writableLength` alone holds a write until the client has taken all of it. */
export function unsentBytesOf(socket: Socket): number {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  const isStream = typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
  return socket.writableLength + (isStream ? Number(handle.writeQueueSize) : 0);
}
