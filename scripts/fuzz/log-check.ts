// The service's log after a run: no error, no secret, nothing that no logger wrote.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { REQUEST_ID } from './case.js';
import { jsonOf, type Violation } from './oracles.js';
import { kindsOf, type KnownSecrets } from './secrets.js';

/** pino's */
const ERROR_LEVEL = 50;
const MAX_SHOWN_CHARACTERS = 300;

export interface LogViolation extends Violation {
  /** Of the case whose request the line names. */
  readonly index?: number;
}

const logLine = z.looseObject({ level: z.number(), msg: z.string().default(''), requestId: z.string().default('') });

/** Lines that are no JSON are what a service says to the one who starts it. */
export async function* logViolations(logFile: string, secrets: KnownSecrets): AsyncGenerator<LogViolation> {
  for await (const text of linesOf(logFile)) {
    const line = logLine.safeParse(jsonOf(text)).data ?? { level: 0, msg: '', requestId: '', text };
    const from = line.requestId.startsWith(REQUEST_ID) ? Number(line.requestId.slice(REQUEST_ID.length)) : NaN;
    const blame = Number.isNaN(from) ? {} : { index: from };
    const found = secrets.find(text);
    if (found.length > 0) {
      const places = Object.entries(line).filter(([, value]) => secrets.find(JSON.stringify(value)).length > 0);
      yield {
        rule: 'secret in the log',
        text: `${kindsOf(found)}, in ${places.map(([name]) => name).join(', ')} of "${line.msg}"`,
        ...blame,
      };
    }
    if (line.level >= ERROR_LEVEL)
      yield { rule: 'error in the log', text: `${line.msg}${found.length > 0 ? '' : reasonOf(line)}`, ...blame };
  }
}

/** Lines that no logger wrote: warnings of Node, uncaught errors. */
export async function* errorOutputViolations(errorFile: string, secrets: KnownSecrets): AsyncGenerator<Violation> {
  for await (const line of linesOf(errorFile)) {
    const found = secrets.find(line);
    if (found.length > 0) yield { rule: 'secret in the log', text: `${kindsOf(found)}, on stderr` };
    else yield { rule: 'error in the log', text: `on stderr: ${line.slice(0, MAX_SHOWN_CHARACTERS)}` };
  }
}

const linesOf = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity });

function reasonOf({ err }: Readonly<Record<string, unknown>>): string {
  return err === undefined ? '' : `: ${JSON.stringify(err).replaceAll('"', "'").slice(0, MAX_SHOWN_CHARACTERS)}`;
}
