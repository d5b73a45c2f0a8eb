// Log: JSON lines on stdout. Secrets in logged values are redacted.
import cluster from 'node:cluster';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Env } from '../../config/env.js';

const BUFFER_CHARS = 16 * 1024;
/** Maximum size in bytes of lines that wait because stdout is not read. Further lines are dropped. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** Maximum time in ms that a line waits until it is written together with other lines. */
const FLUSH_MS = 200;

/**
 * Patterns of secrets, which are redacted in each line. No code should log a secret, so this is an additional
 * protection. Each pattern takes linear time, because lines may contain text from clients.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // API keys and publishable keys.
  [/(blzp?)(?:_|%5F)[0-9A-Z]{8,}/gi, '$1_…'],
  // 256 bits in base64url or hex: session tokens, mailed links, device cookies, signatures of access tokens. The
  // pattern is tried only at the start of each word. Trying every character of a long word, such as a request id, would
  // take three times as long.
  [/(?<![\w-])[\w-]{43,}/g, '…'],
  [/\b(Bearer\s+|blazon_(?:session|device)(?:_\d+)?=)[^\s";\\]+/gi, '$1…'],
  // User, password and query in URLs.
  [/\/\/[^\s/"@\\]*@/g, '//…@'],
  [/\?[^\s"\\?=]*=[^\s"\\]*/g, '?…'],
];

export function redacted(line: string): string {
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/**
 * Returns the fields of an error: type, message, code, and the stacks of the error and its causes. Other properties are
 * omitted, because some errors contain their input.
 */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  const errors = error instanceof AggregateError ? error.errors.map(errorFields) : undefined;
  return { type, message, stack, ...(typeof code === 'string' && { code }), ...(errors && { errors }) };
}

/** Creates a log that writes to stdout, in color on a terminal, or to the given destination. */
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

/** Returns an output that never blocks the service, even if stdout is read slowly. */
function unblockedStdout(): Output {
  return pino.destination({ dest: 1, sync: false, maxLength: MAX_UNREAD_BYTES });
}

/**
 * Returns an output for PM2's cluster mode. There, `process.stdout.write` writes to the service's log file, but file
 * descriptor 1 belongs to the PM2 daemon.
 */
function supervisedStdout(): Output {
  return { write: (text) => process.stdout.write(text), flushSync: () => undefined };
}

/**
 * Returns a destination that combines many lines in one write, because one write per line would take a third of the
 * time of a small response. pino's own buffer is not used, because it measures all its text again for every line.
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
    // Writing throws if stdout is closed.
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
