// The service's log after a run: no error, no secret, no line that no logger wrote.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { SecretSearch } from '../secret-search.js';
import { REQUEST_ID } from './case.js';
import { jsonOf, secretsIn, type Violation } from './oracles.js';

/** pino's level `error`. */
const ERROR_LEVELS: readonly string[] = ['error', 'fatal'];
const MAX_SHOWN_CHARACTERS = 300;

export interface LogViolation extends Violation {
  /** The case whose request the line names. */
  readonly index?: number;
}

const logLine = z.looseObject({ level: z.string(), msg: z.string().default(''), requestId: z.string().default('') });

/** Lines that are no JSON are messages to the one who starts the service. */
export async function* logViolations(logFile: string, secrets: SecretSearch<string>): AsyncGenerator<LogViolation> {
  for await (const text of linesOf(logFile)) {
    const line = logLine.safeParse(jsonOf(text)).data ?? { level: '', msg: '', requestId: '', text };
    const index = line.requestId.startsWith(REQUEST_ID) ? Number(line.requestId.slice(REQUEST_ID.length)) : NaN;
    const blame = Number.isNaN(index) ? {} : { index };
    const found = secretsIn(text, secrets);
    if (found.length > 0) {
      const places = Object.entries(line).filter(([, value]) => secretsIn(JSON.stringify(value), secrets).length > 0);
      const where = `${places.map(([name]) => name).join(', ')} of "${line.msg}"`;
      yield { rule: 'secret in the log', text: `${found.join(', ')}, in ${where}`, ...blame };
    } else if (ERROR_LEVELS.includes(line.level)) {
      const reason = JSON.stringify(line.err ?? '').replaceAll('"', "'");
      yield { rule: 'error in the log', text: `${line.msg}: ${reason.slice(0, MAX_SHOWN_CHARACTERS)}`, ...blame };
    }
  }
}

/** Lines that no logger wrote: warnings of Node, uncaught errors. */
export async function* errorOutputViolations(
  errorFile: string,
  secrets: SecretSearch<string>,
): AsyncGenerator<Violation> {
  for await (const line of linesOf(errorFile)) {
    const found = secretsIn(line, secrets);
    if (found.length > 0) yield { rule: 'secret in the log', text: `${found.join(', ')}, on stderr` };
    else yield { rule: 'error in the log', text: `on stderr: ${line.slice(0, MAX_SHOWN_CHARACTERS)}` };
  }
}

const linesOf = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity });
