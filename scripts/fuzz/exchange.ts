// One connection: the bytes of a case are written, the answers read, and the end is as the case says.
import { connect, type Socket } from 'node:net';
import { readAnswers, type Answer } from './answers.js';
import { sentBytes, type Case } from './case.js';

/** Answers beyond it are too large whatever they hold; the rest is counted and dropped. */
const MAX_KEPT_BYTES = 4_000_000;
const NUDGE_MS = 80;
const PIECE_MS = 2;

export interface Exchange {
  readonly answers: readonly Answer[];
  /** Bytes that belong to no answer. */
  readonly rest: Buffer;
  /** The other end has closed its half, or reset the connection. */
  readonly hasEnded: boolean;
  /** Neither an answer nor an end within the deadline, though the case calls for one. */
  readonly timedOut: boolean;
  /** No connection was made: no process listens. */
  readonly refused: boolean;
}

export interface ExchangeOptions {
  readonly port: number;
  /** Credentials in the place of their names. */
  readonly fill: (text: string) => string;
  /** For all of an exchange. */
  readonly deadlineMs: number;
}

export function exchange(one: Case, { port, fill, deadlineMs }: ExchangeOptions): Promise<Exchange> {
  const bytes = Buffer.from(sentBytes(one, fill), 'latin1');
  const methods = one.messages.map(({ line }) => /^\S*/.exec(line)?.[0] ?? '');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let keptBytes = 0;
    let hasEnded = false;
    let refused = false;
    let isSettled = false;
    // Half-open, so that the end of the other half is seen as what it is, and the case decides about this one.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const deadline = setTimeout(() => settle(true), deadlineMs);
    const nudge = one.ending === 'nudge' ? setTimeout(() => socket.end(), NUDGE_MS) : undefined;

    function settle(timedOut = false): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(deadline);
      clearTimeout(nudge);
      const { answers, rest } = readAnswers(Buffer.concat(chunks), methods, hasEnded);
      socket.destroy();
      resolve({ answers, rest, hasEnded, timedOut, refused });
    }

    function isAnswered(): boolean {
      const { answers } = readAnswers(Buffer.concat(chunks), methods, hasEnded);
      const last = answers.at(-1);
      const closes = last?.fields.get('connection')?.includes('close') === true;
      return answers.length === methods.length && last?.isComplete === true && !closes;
    }

    socket.on('data', (chunk) => {
      if (isSettled) return;
      nudge?.refresh();
      keptBytes += chunk.length;
      if (keptBytes <= MAX_KEPT_BYTES) chunks.push(chunk);
      if ((one.ending === 'read' || one.ending === 'nudge') && isAnswered()) settle();
    });
    socket.on('end', () => {
      hasEnded = true;
      settle();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      refused = error.code === 'ECONNREFUSED';
      hasEnded = true;
      settle();
    });
    socket.on(
      'connect',
      () => void writeAll(socket, bytes, one.writes ?? 1).then(() => finish(socket, one.ending, settle)),
    );
  });
}

async function writeAll(socket: Socket, bytes: Buffer, writes: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / writes));
  for (let at = 0; at < bytes.length; at += size) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
    if (socket.destroyed) return;
    socket.write(bytes.subarray(at, at + size));
  }
}

function finish(socket: Socket, ending: Case['ending'], settle: () => void): void {
  if (ending === 'end') socket.end();
  if (ending !== 'close' && ending !== 'reset') return;
  if (ending === 'close') socket.destroy();
  else socket.resetAndDestroy();
  settle();
}
