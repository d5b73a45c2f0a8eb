// The log of a service under test, at every level and without redaction, which would hide what must not be logged.
import { pino, type Logger } from 'pino';
import { expectNoSecrets } from './secrets.js';

export interface CapturedLog {
  readonly log: Logger;
  /** All that was logged. */
  readonly text: () => string;
  /** Throws if a secret was logged. */
  readonly search: () => void;
  /** Lines at level error. */
  readonly errors: () => readonly string[];
  /** The line of a request, by its id. */
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
