// Streamed bodies: one chunk at a time, the next when the client has taken the one before.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that takes nothing for so long is cut off. */
const STALLED_MS = 30_000;

/**
 * Writes the body after the head, and ends it. Chunks are pulled as fast as the client reads them, and no more of them
 * once it has left; `chunks` is returned in any case. Rejects with what `chunks` throws, after the connection was
 * destroyed: a part of the body must not look like all of it.
 */
export async function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: AsyncIterable<string>,
): Promise<void> {
  const { socket } = request;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  // Not the response's: while it waits for the one before it on the same connection, it has no socket whose end it
  // would notice.
  socket.once('close', leave);
  if (socket.destroyed) leave();
  response.setTimeout(STALLED_MS, () => socket.destroy());
  try {
    for await (const chunk of chunks) {
      if (gone.signal.aborted) return;
      if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    socket.destroy();
    throw error;
  } finally {
    socket.off('close', leave);
  }
}
