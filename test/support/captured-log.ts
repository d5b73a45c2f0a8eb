// Log of the service under test. It has all levels and does not remove secrets, so that tests find logged secrets.
import { pino, type Logger } from 'pino';
import { expectNoSecrets } from './secrets.js';

export interface CapturedLog {
  readonly log: Logger;
  readonly text: () => string;
  readonly search: () => void;
  readonly errors: () => readonly string[];
  /** Returns the log line for the request with this id. */
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
