// The service's log after a run: no error, no secret, nothing that no logger wrote.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { REQUEST_ID } from './case.js';
import type { Violation } from './oracles.js';
import { kindOf, type KnownSecrets } from './secrets.js';

/** pino's */
const ERROR_LEVEL = 50;
const MAX_SHOWN_CHARACTERS = 400;

export interface LogViolation extends Violation {
  /** Of the case whose request the line names. */
  readonly index?: number;
}

export async function* logViolations(logFile: string, secrets: KnownSecrets): AsyncGenerator<LogViolation> {
  for await (const line of linesOf(logFile)) {
    const from = Number(new RegExp(`"requestId":"${REQUEST_ID}(\\d+)"`).exec(line)?.[1]);
    const blame = Number.isNaN(from) ? {} : { index: from };
    const found = secrets.find(line);
    if (found.length > 0) yield { rule: 'secret in the log', text: `${found.map(kindOf).join(', ')}, in ${shownLine(line, found)}`, ...blame };
    if (levelOf(line) >= ERROR_LEVEL) yield { rule: 'error in the log', text: shownLine(line, found), ...blame };
  }
}

/** Whatever stands in there, no logger has seen: warnings of Node, errors that nobody caught. */
export async function* errorOutputViolations(errorFile: string, secrets: KnownSecrets): AsyncGenerator<Violation> {
  for await (const line of linesOf(errorFile)) {
    const found = secrets.find(line);
    if (found.length > 0) yield { rule: 'secret in the log', text: `${found.map(kindOf).join(', ')}, on stderr` };
    yield { rule: 'error in the log', text: `on stderr: ${shownLine(line, found)}` };
  }
}

const linesOf = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity });

function levelOf(line: string): number {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
}

/** Without time and ids, so that equal lines are one finding; and without what could be a secret. */
function shownLine(line: string, found: readonly string[]): string {
  if (found.some((name) => name.startsWith('password'))) return 'a line that is not shown';
  const text = line.replaceAll(/"time":\d+,?|"requestId":"(?:fuzz-case-|[\da-f]{8}-)[^"]*",?/g, '');
  return (found.length > 0 ? text.replaceAll(/[\w.-]{30,}/g, '…') : text).slice(0, MAX_SHOWN_CHARACTERS);
}
