// Log as JSON lines on stdout. Secrets are redacted in all logged values.
import cluster from 'node:cluster';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Env } from '../../config/env.js';

const BUFFER_CHARS = 16 * 1024;
/** Maximum bytes of unread output. Further lines are dropped while nothing reads stdout. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** Longest time in ms that a line waits to be written together with others. */
const FLUSH_MS = 200;

/**
 * Patterns of secrets in a written line. Nothing should log a secret; this is the last line of defense. Each pattern
 * takes linear time, because lines may contain strangers' text.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // API keys, secret and publishable.
  [/(blzp?)(?:_|%5F)[0-9A-Z]{8,}/gi, '$1_…'],
  // 256 bits in base64url or hex: sessions, mailed links, device cookies, signatures of access tokens. Matched only at
  // the start of a word: matching from every character of a request id would take three times as long.
  [/(?<![\w-])[\w-]{43,}/g, '…'],
  [/\b(Bearer\s+|blazon_(?:session|device)(?:_\d+)?=)[^\s";\\]+/gi, '$1…'],
  // User, password and query of addresses.
  [/\/\/[^\s/"@\\]*@/g, '//…@'],
  [/\?[^\s"\\?=]*=[^\s"\\]*/g, '?…'],
];

export function redacted(line: string): string {
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/**
 * Returns only type, message, stack (including the stacks of causes) and code, because some errors carry their input,
 * for example as `input`.
 */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  const errors = error instanceof AggregateError ? error.errors.map(errorFields) : undefined;
  return { type, message, stack, ...(typeof code === 'string' && { code }), ...(errors && { errors }) };
}

/** Creates a log to stdout (in color on a terminal), unless another destination is given. */
export function createLog({ LOG_LEVEL }: Pick<Env, 'LOG_LEVEL'>, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorFields },
    hooks: { streamWrite: redacted },
  };
  if (destination) return pino(options, destination);
  if (process.stdout.isTTY)
    return pino({ ...options, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } });
  return pino(options, bufferedStdout());
}

interface Output {
  write(text: string): unknown;
  flushSync(): void;
}

/** The service continues while the reader of stdout is slow. */
function unblockedStdout(): Output {
  return pino.destination({ dest: 1, sync: false, maxLength: MAX_UNREAD_BYTES });
}

/**
 * In PM2's cluster mode, `process.stdout.write` writes the service's log file. Descriptor 1 belongs to the PM2 daemon.
 */
function supervisedStdout(): Output {
  return { write: (text) => process.stdout.write(text), flushSync: () => undefined };
}

/**
 * Combines many lines in one write. One write per request would take a third of the time of a small response. Lines are
 * combined here, since the destination measures all of its collected text again for every line.
 */
function bufferedStdout(): DestinationStream {
  const destination = cluster.isWorker ? supervisedStdout() : unblockedStdout();
  let lines: string[] = [];
  let chars = 0;

  function flush(): void {
    if (chars === 0) return;
    destination.write(lines.join(''));
    lines = [];
    chars = 0;
  }

  setInterval(flush, FLUSH_MS).unref();
  process.once('exit', () => {
    // Throws if stdout is closed.
    try {
      flush();
      destination.flushSync();
    } catch {
      return;
    }
  });
  return {
    write(line) {
      lines.push(line);
      chars += line.length;
      if (chars >= BUFFER_CHARS) flush();
    },
  };
}
