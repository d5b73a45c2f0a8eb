// Log as JSON lines on stdout; secrets are redacted in whatever is logged.
import cluster from 'node:cluster';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Env } from '../../config/env.js';

const BUFFER_CHARS = 16 * 1024;
/** While stdout is not read, lines beyond are dropped. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** Longest time that a line waits for others. */
const FLUSH_MS = 200;

/**
 * Secrets by their form, in a line as it is written. Nothing should log one; this is the last line of defense. Each
 * takes linear time: lines may hold text of strangers.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // API keys, secret and publishable.
  [/(blzp?)(?:_|%5F)[0-9A-Z]{8,}/gi, '$1_…'],
  // 256 bits in base64url or hex: sessions, mailed links, device cookies, signatures of access tokens. Looked for where
  // a word begins only: from every character of a request id it would take three times as long.
  [/(?<![\w-])[\w-]{43,}/g, '…'],
  [/\b(Bearer\s+|blazon_(?:session|device)(?:_\d+)?=)[^\s";\\]+/gi, '$1…'],
  // Addresses: user and password, query.
  [/\/\/[^\s/"@\\]*@/g, '//…@'],
  [/\?[^\s"\\?=]*=[^\s"\\]*/g, '?…'],
];

export function redacted(line: string): string {
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/**
 * Type, message, stack (those of causes included) and code, nothing else: some errors carry what they were given, as in
 * `input`.
 */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  const errors = error instanceof AggregateError ? error.errors.map(errorFields) : undefined;
  return { type, message, stack, ...(typeof code === 'string' && { code }), ...(errors && { errors }) };
}

/** To stdout, in colors on a terminal, unless another destination is given. */
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

/** While its reader is slow, the service goes on. */
function unblockedStdout(): Output {
  return pino.destination({ dest: 1, sync: false, maxLength: MAX_UNREAD_BYTES });
}

/** In PM2's cluster mode `process.stdout.write` writes the log file of the service; descriptor 1 is that of the daemon. */
function supervisedStdout(): Output {
  return { write: (text) => process.stdout.write(text), flushSync: () => undefined };
}

/**
 * Many lines in one write: one for every request would take a third of the time of a small answer. Collected here, since
 * the destination measures all that it has collected again for every line.
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
    // Throws when stdout is gone.
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
