// Streamed bodies: sends one chunk at a time, and the next one when the client has read the previous one.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Time in ms after which a client that reads nothing is cut off. */
const STALLED_MS = 30_000;

/**
 * Writes the body after the head, and ends it. Pulls chunks as fast as the client reads them, and stops when it has
 * left. `chunks` is returned in any case. If `chunks` throws, destroys the connection and then rejects: a partial body
 * must not look complete.
 */
export async function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: AsyncIterable<string>,
): Promise<void> {
  const { socket } = request;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  // The response's own event is not enough. While it waits for the previous response on the same connection, it has no
  // socket and would not notice the end.
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
