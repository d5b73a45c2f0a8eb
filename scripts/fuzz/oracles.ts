// Invariants of every answer, whatever the request: each can fail a run.
import { z } from 'zod';
import { ERRORS } from '../../src/errors.js';
import type { SecretSearch } from '../secret-search.js';
import type { Answer } from './answers.js';
import { sentBytes, type Case } from './case.js';
import type { Exchange } from './exchange.js';

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

/** Names of the secrets in a text. */
export const secretsIn = (text: string, secrets: SecretSearch<string>): string[] => [
  ...new Set(secrets.find(Buffer.from(text)).map(({ what }) => what)),
];

/** The rules that one exchange breaks. `fill`: credentials in the place of their names. */
export function violationsOf(
  one: Case,
  { answers, rest, timedOut, hasEnded }: Exchange,
  { secrets, fill }: { readonly secrets: SecretSearch<string>; readonly fill: (text: string) => string },
): Violation[] {
  const violations: (Violation | undefined)[] = [];
  const isRead = one.ending === 'read' || one.ending === 'nudge';
  const sent = sentBytes(one, fill);
  const isUnanswered = answers.length === 0 && rest.length === 0 && sent.length <= MAX_RELIABLE_BYTES;
  if (timedOut) {
    const kept = answers.length > 0 ? 'was answered, but its connection was not closed' : 'was not answered';
    violations.push({ rule: 'hang', text: `${kept} within the deadline` });
  } else if (one.ending === 'read' && hasEnded && isUnanswered)
    violations.push({ rule: 'no answer', text: 'the connection was closed without an answer' });
  answers.forEach((answer, at) => {
    const line = one.messages[at]?.line ?? '';
    violations.push(serverError(answer), leakedSecret(answer, { sent, secrets }));
    // The shape of an answer that was cut off is unknown.
    if (answer.isComplete || !hasEnded) violations.push(errorViolation(answer, line));
  });
  if (rest.length > 0 && isRead) violations.push(restViolation(one, answers.length, rest));
  return violations.filter((violation) => violation !== undefined);
}

/** Bytes that belong to no answer. */
function restViolation({ messages, writes = 1 }: Case, answered: number, rest: Buffer): Violation | undefined {
  const start = JSON.stringify(rest.toString('latin1', 0, 60));
  if (!messages[answered - 1]?.line.startsWith('HEAD ') || /^"HTTP\/1\.1 \d{3}/.test(start))
    return { rule: 'not HTTP', text: `bytes that are no answer: ${start}` };
  // The parser gives no method with an error: where the head was read before, the answer has a body.
  if (messages.length > 1 || writes > 1) return undefined;
  return { rule: 'body to HEAD', text: `${rest.length} bytes follow the head of an answer: ${start}` };
}

function serverError({ status, fields }: Answer): Violation | undefined {
  if (status >= 500 && status !== 503) return { rule: 'server error', text: `status ${status}` };
  if ((status !== 503 && status !== 429) || /^\d+$/.test(fields.get('retry-after')?.[0] ?? '')) return undefined;
  return { rule: status === 503 ? 'server error' : 'error shape', text: `${status} without Retry-After` };
}

const ERROR_FIELDS: Readonly<Record<string, RegExp>> = {
  'content-type': /^application\/json; charset=utf-8$/,
  'cache-control': /^no-store$/,
  'x-request-id': /^[^,]+$/,
};
const detail = z.strictObject({
  field: z.string(),
  reason: z.string(),
  allowed: z.union([z.string(), z.array(z.string())]).optional(),
  code: z.string().optional(),
  element: z.string().optional(),
  line: z.int().optional(),
  advice: z.string().optional(),
  help: z.string().optional(),
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
  for (const [name, form] of Object.entries(ERROR_FIELDS)) {
    const value = fields.get(name)?.join(', ') ?? '';
    if (!form.test(value)) return { rule: 'error shape', text: `${status} with ${name}: "${value}"` };
  }
  if (line.startsWith('HEAD ')) return undefined;
  const parsed = errorBody.safeParse(jsonOf(body.toString()));
  if (!parsed.success) return { rule: 'error shape', text: `${status} whose body is not {error, message, details?}` };
  const { error } = parsed.data;
  const known = Object.entries(ERRORS).find(([code]) => code === error)?.[1].status;
  return known === status
    ? undefined
    : { rule: 'error code', text: `${error} with status ${status}, not ${known ?? 'known'}` };
}

/** The reason, which distinguishes one defect from another. */
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
  { sent, secrets }: { readonly sent: string; readonly secrets: SecretSearch<string> },
): Violation | undefined {
  const text = body.toString('latin1');
  const found = secretsIn(status < 400 ? text : `${head}\n${text}`, secrets);
  const repeated = status < 400 && found.length > 0 ? secretsIn(sent, secrets) : [];
  const leaked = found.filter((name) => !repeated.includes(name));
  if (leaked.length === 0) return undefined;
  return { rule: 'secret in an answer', text: `${status} holds ${leaked.join(', ')}${firstReason(body)}` };
}
