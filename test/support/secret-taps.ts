// Taps on the paths of secrets through a test: requests and answers, calls of services, logs.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { pino, type Logger } from 'pino';
import type { AccountParts } from '../../src/compose/accounts.js';
import { secretWatch } from './secret-guard.js';
import { passwordOf, secretsOfBody, secretsOfValue, tokensIn } from './secret-shapes.js';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Remembers what clients send and what they are given, and looks at every answer that is an error. */
export function tappedHandle(handle: Handle): Handle {
  return (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = tappedBody(request);
    const learn = () =>
      secretWatch.remember(
        [headers.cookie, headers.authorization, headers['x-api-key']]
          .flatMap(secretsOfValue)
          .concat(secretsOfBody(body())),
      );
    const writeHead = response.writeHead.bind(response);
    let head = '';
    response.writeHead = (status: number, ...fields: never[]) => {
      head = JSON.stringify(fields);
      return writeHead(status, ...fields);
    };
    const end = response.end.bind(response);
    response.end = (...given: never[]) => {
      learn();
      const [content] = given as unknown[];
      const answer = `${head}\n${typeof content === 'string' || Buffer.isBuffer(content) ? content.toString() : ''}`;
      if (response.statusCode >= 400)
        secretWatch.inspectText(`the ${response.statusCode} to ${method} ${nameOf(url)}`, answer);
      else if (url.startsWith('/auth/')) secretWatch.remember(tokensIn(answer));
      return end(...given);
    };
    handle(request, response);
  };
}

/** The beginning of the path: in the rest a client may have put a secret. */
function nameOf(url: string): string {
  return url.replace(/\?.*/, '').split('/', 3).join('/');
}

/** The part of the body that has come by now, as its reader gets it. */
function tappedBody(request: IncomingMessage): () => string {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return push(chunk, encoding);
  };
  return () => Buffer.concat(chunks).toString();
}

/** The same parts; remembers what their services are given and give, and looks at what they throw. */
export function tappedParts<Parts extends AccountParts>(parts: Parts): Parts {
  secretWatch.remember(parts.linkSecrets.map((value) => ({ kind: 'signing secret', value })));
  const { registration, signIn, sessions, credentials, emailChange, links, own, operator } = parts;
  return {
    ...parts,
    registration: tapped(registration),
    signIn: tapped(signIn),
    sessions: tapped(sessions),
    credentials: tapped(credentials),
    emailChange: tapped(emailChange),
    links: tapped(links),
    own: tapped(own),
    operator: tapped(operator),
  };
}

/** Their new password stands alone. */
const SECOND_IS_PASSWORD: ReadonlySet<string> = new Set(['changePassword', 'resetPassword']);

function tapped<Service extends object>(service: Service): Service {
  return new Proxy(service, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        secretWatch.remember(given.flatMap(secretsOfValue));
        if (SECOND_IS_PASSWORD.has(String(name))) secretWatch.remember(passwordOf(given[1]));
        const result: unknown = Reflect.apply(member, target, given);
        if (result instanceof Promise)
          result.then(
            (value: unknown) => secretWatch.remember(secretsOfValue(value)),
            (error: unknown) => secretWatch.inspectText(`an error of ${String(name)}`, inspect(error)),
          );
        else secretWatch.remember(secretsOfValue(result));
        return result;
      };
    },
  });
}

export interface CapturedLog {
  readonly log: Logger;
  /** To be called when all secrets are known. */
  readonly inspect: () => void;
  /** Errors that were logged so far. */
  readonly errors: () => readonly string[];
  /** The line of a request, by its id. */
  readonly answered: (requestId: string) => Readonly<Record<string, unknown>> | undefined;
}

/**
 * Everything that is logged, at every level; without the redaction of src/log.ts, which would hide what nothing should
 * log.
 */
export function capturedLog(): CapturedLog {
  const lines: string[] = [];
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
  return {
    log,
    inspect: () => secretWatch.inspectText('the log', lines.splice(0).join('')),
    errors: () => lines.filter((line) => line.startsWith('{"level":50')),
    answered: (requestId) =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .find((line) => line.requestId === requestId && line.msg === 'answered'),
  };
}

/** Secrets that a service is started with. */
export function rememberVariables(variables: Readonly<Record<string, string>>): void {
  const { JWT_SECRET = '', SMTP_URL = '', STRIPE_SECRET_KEY = '', STRIPE_WEBHOOK_SECRET = '' } = variables;
  secretWatch.remember(
    [JWT_SECRET, STRIPE_WEBHOOK_SECRET].flatMap((secrets) =>
      secrets.split(',').map((secret) => ({ kind: 'signing secret' as const, value: secret.trim() })),
    ),
  );
  secretWatch.remember([{ kind: 'signing secret', value: STRIPE_SECRET_KEY }]);
  // One that is badly encoded is rejected, and looked for as it stands.
  const [, password = ''] = /^smtps?:\/\/[^:@]*:([^@]*)@/.exec(SMTP_URL) ?? [];
  secretWatch.remember([
    { kind: 'mail password', value: /%(?![\dA-F]{2})/i.test(password) ? password : decodeURIComponent(password) },
  ]);
}
