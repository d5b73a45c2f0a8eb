// Invariants of every answer, whatever the request: each can fail a run.
import { z } from 'zod';
import { ERRORS } from '../../src/errors.js';
import type { Answer } from './answers.js';
import { sentBytes, type Case } from './case.js';
import type { Exchange } from './exchange.js';
import { kindsOf, type KnownSecrets } from './secrets.js';

/** No error is longer, whatever was sent (CONTRIBUTING.md). */
const MAX_ERROR_BYTES = 8192;
/** A connection that is closed while this much is unread may be reset, and lose its answer. */
const MAX_RELIABLE_BYTES = 60_000;

export interface Violation {
  readonly rule:
    | 'server error'
    | 'hang'
    | 'no answer'
    | 'not HTTP'
    | 'large error'
    | 'error shape'
    | 'error code'
    | 'body to HEAD'
    | 'secret in an answer'
    | 'secret in the log'
    | 'error in the log'
    | 'metering'
    | 'memory'
    | 'not alive'
    | 'not ended'
    | 'unfinished';
  readonly text: string;
}

/** The rules that one exchange breaks. `fill`: credentials in the place of their names. */
export function violationsOf(
  one: Case,
  exchange: Exchange,
  { secrets, fill }: { readonly secrets: KnownSecrets; readonly fill: (text: string) => string },
): Violation[] {
  const { answers, rest, timedOut, hasEnded } = exchange;
  const violations: (Violation | undefined)[] = [];
  if (timedOut) {
    const kept = answers.length > 0 ? 'was answered, but its connection was not closed' : 'was not answered';
    violations.push({ rule: 'hang', text: `${kept} within the deadline` });
  }
  const sent = sentBytes(one, fill);
  if (
    one.ending === 'read' &&
    hasEnded &&
    answers.length === 0 &&
    rest.length === 0 &&
    sent.length <= MAX_RELIABLE_BYTES
  )
    violations.push({ rule: 'no answer', text: 'the connection was closed without an answer' });
  answers.forEach((answer, at) => {
    const line = one.messages[at]?.line ?? '';
    // One that was cut off says nothing about its shape.
    const isWhole = answer.isComplete || !hasEnded;
    violations.push(
      serverError(answer),
      isWhole ? errorViolation(answer, line) : undefined,
      leakedSecret(answer, { sent, secrets }),
    );
  });
  if (rest.length > 0 && (one.ending === 'read' || one.ending === 'nudge'))
    violations.push(restViolation(one, exchange));
  return violations.filter((violation) => violation !== undefined);
}

function restViolation({ messages }: Case, { answers, rest }: Exchange): Violation {
  const isHead = messages[answers.length - 1]?.line.startsWith('HEAD ') === true;
  if (isHead && !/^HTTP\/1\.1 \d{3}/.test(rest.toString('latin1', 0, 16)))
    return {
      rule: 'body to HEAD',
      text: `${rest.length} bytes follow the head of ${answers.at(-1)?.status ?? 'an answer'}`,
    };
  return { rule: 'not HTTP', text: `bytes that are no answer: ${JSON.stringify(rest.toString('latin1', 0, 60))}` };
}

function serverError({ status, fields }: Answer): Violation | undefined {
  if (status >= 500 && status !== 503) return { rule: 'server error', text: `status ${status}` };
  if ((status !== 503 && status !== 429) || /^\d+$/.test(fields.get('retry-after')?.[0] ?? '')) return undefined;
  return { rule: status === 503 ? 'server error' : 'error shape', text: `${status} without Retry-After` };
}

const detail = z.strictObject({
  field: z.string(),
  reason: z.string(),
  allowed: z.union([z.string(), z.array(z.string())]).optional(),
});
const errorBody = z.strictObject({
  error: z.string(),
  message: z.string().min(1),
  details: z.array(detail).optional(),
});

function errorViolation({ status, fields, body }: Answer, line: string): Violation | undefined {
  // The one error of another shape: it names the part that is not ready.
  if (status < 400 || (status === 503 && /^\w+ \/readyz[? ]/.test(line))) return undefined;
  if (body.length > MAX_ERROR_BYTES)
    return { rule: 'large error', text: `${status} with ${body.length} bytes${firstReason(body)}` };
  const wrong = (what: string): Violation => ({ rule: 'error shape', text: `${status} ${what}` });
  const type = fields.get('content-type')?.join(', ');
  if (type !== 'application/json; charset=utf-8') return wrong(`of type ${type ?? '(none)'}`);
  if (fields.get('cache-control')?.join(', ') !== 'no-store') return wrong('without Cache-Control: no-store');
  if (fields.get('x-request-id')?.length !== 1) return wrong('without one X-Request-Id');
  return line.startsWith('HEAD ') ? undefined : bodyViolation(status, body);
}

function bodyViolation(status: number, body: Buffer): Violation | undefined {
  const parsed = errorBody.safeParse(jsonOf(body.toString()));
  if (!parsed.success) return { rule: 'error shape', text: `${status} whose body is not {error, message, details?}` };
  const { error } = parsed.data;
  const known = Object.entries(ERRORS).find(([code]) => code === error)?.[1].status;
  if (known === status) return undefined;
  return {
    rule: 'error code',
    text: `${error} with status ${status}; ${known ? `it has ${known}` : 'there is no such code'}`,
  };
}

/** What distinguishes one defect from another. */
function firstReason(body: Buffer): string {
  const [, reason] = /"reason":"([^"]*)"/.exec(body.toString()) ?? [];
  return reason === undefined ? '' : `: ${reason}`;
}

/** Undefined for text that is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error repeats no credential; an answer that is none repeats at most what was sent with its own request. */
function leakedSecret(
  { status, head, body }: Answer,
  { sent, secrets }: { readonly sent: string; readonly secrets: KnownSecrets },
): Violation | undefined {
  const text = body.toString('latin1');
  const found = secrets.find(status < 400 ? text : `${head}\n${text}`);
  const repeated = status < 400 && found.length > 0 ? secrets.find(sent) : [];
  const leaked = found.filter((name) => !repeated.includes(name));
  if (leaked.length === 0) return undefined;
  return { rule: 'secret in an answer', text: `${status} holds ${kindsOf(leaked)}${firstReason(body)}` };
}
