// Requests of one connection, answered one at a time and in order (RFC 9112, section 9.3.2).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  answering: Exchange | undefined;
  readonly waiting: Exchange[];
  /** Follows the last answer. */
  last: (() => void) | undefined;
}

export type Pipeline = ReturnType<typeof createPipeline>;

export function createPipeline(handle: Handle, maxWaiting: number) {
  const connections = new WeakMap<Duplex, Connection>();

  function connectionOf(socket: Duplex): Connection {
    const known = connections.get(socket);
    if (known) return known;
    const connection: Connection = { answering: undefined, waiting: [], last: undefined };
    connections.set(socket, connection);
    return connection;
  }

  function begin(connection: Connection, exchange: Exchange): void {
    connection.answering = exchange;
    exchange.response.once('close', () => proceed(connection, exchange.request.socket));
    handle(exchange.request, exchange.response);
  }

  function proceed(connection: Connection, socket: Duplex): void {
    connection.answering = undefined;
    // After `Connection: close`, or when the client has gone, no further answer can be sent.
    if (!socket.writable) connection.waiting.length = 0;
    const next = connection.waiting.shift();
    if (next) begin(connection, next);
    else connection.last?.();
  }

  return {
    /**
     * Node hands over all requests of a packet at once: of a connection whose client reads nothing, the answers to some
     * 1,600 of them would be held. Only one is made at a time; beyond `maxWaiting` requests the connection is closed.
     */
    handle(request: IncomingMessage, response: ServerResponse): void {
      const connection = connectionOf(request.socket);
      if (connection.last) return;
      if (!connection.answering) begin(connection, { request, response });
      else if (connection.waiting.length < maxWaiting) connection.waiting.push({ request, response });
      else request.socket.destroy();
    },
    /** True while a further request would be handled. */
    isOpen: (socket: Duplex): boolean => !socket.destroyed && connections.get(socket)?.last === undefined,
    /** The exchange that is not over yet. */
    answering: (socket: Duplex): Exchange | undefined => connections.get(socket)?.answering,
    /** Runs `act` once, after the answers to all requests that arrived completely; no further request is handled. */
    afterAnswers(socket: Duplex, act: () => void): void {
      const connection = connectionOf(socket);
      if (connection.last) return;
      connection.last = act;
      // The body of the last one may be the faulty one.
      if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
      if (!connection.answering) act();
    },
  };
}
