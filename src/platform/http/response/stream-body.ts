// Streamed bodies: each chunk is made and sent when the client has read the previous chunk.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Time in ms after which a client that reads nothing is disconnected. */
const STALLED_MS = 30_000;

/**
 * Writes the body after the head, and ends the response. Requests chunks as fast as the client reads them, and stops
 * when the client disconnects. Closes the iterator in any case. If the iterator throws, destroys the connection, so
 * that the partial body does not look complete, and then rejects.
 */
export async function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: AsyncIterable<string>,
): Promise<void> {
  const { socket } = request;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  // The socket's event is used, and not the response's. The response has no socket while it waits for an earlier
  // response on the same connection, so it would not report that the connection has ended.
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
