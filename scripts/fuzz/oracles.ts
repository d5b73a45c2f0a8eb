// Invariants of every answer, whatever the request: each can fail a run.
import { z } from 'zod';
import { ERRORS } from '../../src/errors.js';
import type { Answer } from './answers.js';
import { sentBytes, type Case } from './case.js';
import type { Operation } from './document.js';
import type { Exchange } from './exchange.js';
import { kindOf, type KnownSecrets } from './secrets.js';

/** No error is longer, whatever was sent (CONTRIBUTING.md). */
const MAX_ERROR_BYTES = 8192;
/** A connection that is closed while this much is unread may be reset, and lose its answer. */
const MAX_RELIABLE_BYTES = 60_000;

/** Answers that hand out credentials. */
const ISSUERS = new Set(['/auth/register', '/auth/login', '/auth/refresh', '/auth/regenerate-key']);

export type Rule =
  | 'server error'
  | 'hang'
  | 'no answer'
  | 'not HTTP'
  | 'large error'
  | 'error shape'
  | 'error code'
  | 'undocumented status'
  | 'body to HEAD'
  | 'secret in an answer'
  | 'accepted'
  | 'secret in the log'
  | 'error in the log'
  | 'kept connection'
  | 'metering'
  | 'memory'
  | 'not alive'
  | 'not ended'
  | 'unfinished';

export interface Violation {
  readonly rule: Rule;
  readonly text: string;
}

interface JudgeOptions {
  readonly operation: Operation | undefined;
  readonly secrets: KnownSecrets;
  readonly fill: (text: string) => string;
}

/** The rules that one exchange breaks. */
export function violationsOf(one: Case, exchange: Exchange, options: JudgeOptions): Violation[] {
  const { answers, rest, timedOut, hasEnded } = exchange;
  const violations: Violation[] = [];
  if (timedOut && one.ending !== 'hold') {
    const kept = answers.length > 0 ? 'was answered, but its connection was not closed' : 'was not answered';
    violations.push({ rule: 'hang', text: `${kept} within the deadline` });
  }
  const sent = sentBytes(one, options.fill).length;
  if (one.ending === 'read' && hasEnded && answers.length === 0 && rest.length === 0 && sent <= MAX_RELIABLE_BYTES) {
    violations.push({ rule: 'no answer', text: 'the connection was closed without an answer' });
  }
  answers.forEach((answer, index) => violations.push(...answerViolations(one, { answer, index, exchange }, options)));
  if (rest.length > 0 && (one.ending === 'read' || one.ending === 'nudge'))
    violations.push(restViolation(one, exchange));
  return violations;
}

function restViolation({ messages }: Case, { answers, rest }: Exchange): Violation {
  const last = messages[answers.length - 1];
  if (last?.line.startsWith('HEAD ') === true && !/^HTTP\/1\.1 \d{3}/.test(rest.toString('latin1', 0, 16))) {
    return {
      rule: 'body to HEAD',
      text: `${rest.length} bytes follow the head of ${answers.at(-1)?.status ?? 'an answer'}`,
    };
  }
  return { rule: 'not HTTP', text: `bytes that are no answer: ${JSON.stringify(rest.toString('latin1', 0, 60))}` };
}

interface Judged {
  readonly answer: Answer;
  readonly index: number;
  readonly exchange: Exchange;
}

function answerViolations(one: Case, judged: Judged, options: JudgeOptions): Violation[] {
  const { answer, index } = judged;
  const method = /^\S*/.exec(one.messages[index]?.line ?? '')?.[0] ?? '';
  const operation = one.messages.length === 1 && method === options.operation?.method ? options.operation : undefined;
  const violations: (Violation | undefined)[] = [
    serverError(answer, operation),
    wrongError(one, judged, method),
    undocumented(answer, operation),
    withoutRetryAfter(answer),
    accepted(answer, one),
    leakedSecret(answer, one, options),
  ];
  return violations.filter((violation) => violation !== undefined);
}

/** A path that is no operation's has no document. */
function undocumented({ status, body }: Answer, operation: Operation | undefined): Violation | undefined {
  if (!operation || status < 400 || operation.statuses.has(status)) return undefined;
  if (status === 404 && body.includes('"route_not_found"')) return undefined;
  return { rule: 'undocumented status', text: `${status}, which the document does not name for ${operation.id}` };
}

function accepted({ status }: Answer, { mustReject }: Case): Violation | undefined {
  if (mustReject !== true || status >= 400) return undefined;
  return { rule: 'accepted', text: `answered ${status}, though the document or the credential rules it out` };
}

function wrongError({ messages }: Case, { answer, index, exchange }: Judged, method: string): Violation | undefined {
  const isCutOff = !answer.isComplete && exchange.hasEnded;
  if (answer.status < 400 || isCutOff || isReadiness(answer, messages[index]?.line)) return undefined;
  return errorViolation(answer, method);
}

/** The one error of another shape: it names the part that is not ready. */
function isReadiness({ status }: Answer, line = ''): boolean {
  return status === 503 && /^\w+ \/readyz[? ]/.test(line);
}

function serverError({ status }: Answer, operation: Operation | undefined): Violation | undefined {
  if (status < 500) return undefined;
  if (status !== 503) return { rule: 'server error', text: `${status} to ${operation?.id ?? 'no operation'}` };
  if (operation?.statuses.has(503) === false)
    return { rule: 'server error', text: `503, which the document does not name for ${operation.id}` };
  return undefined;
}

function withoutRetryAfter({ status, fields }: Answer): Violation | undefined {
  if ((status !== 503 && status !== 429) || /^\d+$/.test(fields.get('retry-after')?.[0] ?? '')) return undefined;
  return { rule: status === 503 ? 'server error' : 'error shape', text: `${status} without Retry-After` };
}

const errorBody = z.strictObject({
  error: z.string(),
  message: z.string().min(1),
  details: z
    .array(
      z.strictObject({
        field: z.string(),
        reason: z.string(),
        allowed: z.union([z.string(), z.array(z.string())]).optional(),
      }),
    )
    .optional(),
});

function errorViolation({ status, fields, body }: Answer, method: string): Violation | undefined {
  if (body.length > MAX_ERROR_BYTES)
    return { rule: 'large error', text: `${status} with ${body.length} bytes${firstReason(body)}` };
  const wrong = (what: string): Violation => ({ rule: 'error shape', text: `${status} ${what}` });
  const type = fields.get('content-type')?.join(', ');
  if (type !== 'application/json; charset=utf-8') return wrong(`of type ${type ?? '(none)'}`);
  if (fields.get('cache-control')?.join(', ') !== 'no-store') return wrong('without Cache-Control: no-store');
  if (fields.get('x-request-id')?.length !== 1) return wrong('without one X-Request-Id');
  if (method === 'HEAD') return undefined;
  const parsed = errorBody.safeParse(jsonOf(body));
  if (!parsed.success) return wrong('whose body is not {error, message, details?}');
  const { error } = parsed.data;
  const known = Object.entries(ERRORS).find(([code]) => code === error);
  if (known?.[1].status === status) return undefined;
  return {
    rule: 'error code',
    text: `${error} with status ${status}; ${known ? `it has ${known[1].status}` : 'there is no such code'}`,
  };
}

/** What distinguishes one defect from another. */
function firstReason(body: Buffer): string {
  const [, reason] = /"reason":"([^"]*)"/.exec(body.toString('utf8')) ?? [];
  return reason === undefined ? '' : `: ${reason}`;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** An error repeats no credential; an answer that is none repeats at most what was sent with its own request. */
function leakedSecret(
  { status, head, body }: Answer,
  one: Case,
  { secrets, fill }: JudgeOptions,
): Violation | undefined {
  const path = /^\S+ ([^? ]*)/.exec(one.messages[0]?.line ?? '')?.[1] ?? '';
  if (status < 400 && ISSUERS.has(path)) return undefined;
  const text = status < 400 ? body.toString('latin1') : `${head}\n${body.toString('latin1')}`;
  const found = secrets.find(text);
  const sent = status < 400 && found.length > 0 ? secrets.find(sentBytes(one, fill)) : [];
  const leaked = found.filter((name) => !sent.includes(name));
  return leaked.length === 0
    ? undefined
    : { rule: 'secret in an answer', text: `${status} holds ${leaked.map(kindOf).join(', ')}${firstReason(body)}` };
}
