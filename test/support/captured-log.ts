// Log of a tested service at every level, without redaction, which would hide logged secrets.
import { pino, type Logger } from 'pino';
import { expectNoSecrets } from './secrets.js';

export interface CapturedLog {
  readonly log: Logger;
  /** Everything logged. */
  readonly text: () => string;
  /** Throws if a secret was logged. */
  readonly search: () => void;
  /** Lines at level error. */
  readonly errors: () => readonly string[];
  /** Returns the line of a request, by its id. */
  readonly answered: (requestId: string) => Readonly<Record<string, unknown>> | undefined;
}

export function capturedLog(): CapturedLog {
  const lines: string[] = [];
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
  return {
    log,
    text: () => lines.join(''),
    search: () => expectNoSecrets('the log', lines.join('')),
    errors: () => lines.filter((line) => line.startsWith('{"level":50')),
    answered: (requestId) =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .find((line) => line.requestId === requestId && line.msg === 'answered'),
  };
}
