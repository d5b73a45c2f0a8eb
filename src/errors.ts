// The one table of error codes: status, default message, and whether to retry. OpenAPI, docs and tests derive from it.

interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
  /** Seconds for `Retry-After` when the thrower gives none. Every 503 has it. */
  readonly retryAfterSeconds?: number;
}

export const ERRORS = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_api_key: { status: 401, message: 'The API key is missing or not valid. Send it in the X-API-Key header.' },
  invalid_token: {
    status: 401,
    message:
      'The access token is missing, malformed or expired, or its session has ended. Sign in, or get another ' +
      'from /auth/refresh.',
  },
  invalid_credentials: { status: 401, message: 'The e-mail address or the password is wrong.' },
  session_ended: { status: 401, message: 'The session has ended. Sign in again.' },
  forbidden: { status: 403, message: 'This is not allowed.' },
  account_suspended: { status: 403, message: 'This account is suspended. Write to the operator of this service.' },
  not_found: { status: 404, message: 'There is no such entry.' },
  route_not_found: {
    status: 404,
    message: 'There is no such route. GET /openapi.json lists them all; /docs reads better.',
  },
  method_not_allowed: { status: 405, message: 'This path does not take this method; see the Allow header.' },
  not_acceptable: { status: 406, message: 'The Accept header allows none of the formats of this route.' },
  email_taken: { status: 409, message: 'There is an account with this e-mail address already.' },
  already_subscribed: {
    status: 409,
    message: 'There is a subscription already. POST /v1/billing/portal leads to the page where it is changed.',
  },
  no_customer: {
    status: 409,
    message: 'Nothing was ever bought with this account. Begin with POST /v1/billing/checkout.',
  },
  conflict: { status: 409, message: 'It was changed at the same time by another request. Try again.' },
  gone: { status: 410, message: 'This entry was withdrawn.' },
  payload_too_large: { status: 413, message: 'The body is larger than 64 KB.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  unprocessable: { status: 422, message: 'This image cannot be drawn with these parameters.' },
  quota_exceeded: { status: 429, message: "Today's quota is used up." },
  rate_limited: { status: 429, message: 'Too many requests at once.', retryAfterSeconds: 1 },
  login_throttled: { status: 429, message: 'Too many wrong passwords. Wait, or choose a new password with a link.' },
  internal_error: { status: 500, message: 'Something went wrong here. The request id names the log entry.' },
  unavailable: { status: 503, message: 'The service is not available right now.', retryAfterSeconds: 2 },
  billing_unavailable: {
    status: 503,
    message: 'Billing is not available right now.',
    retryAfterSeconds: 5,
  },
  busy: { status: 503, message: 'Too much work is waiting. Try again in a moment.', retryAfterSeconds: 1 },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** One wrong field of a request: its name, what is wrong, and what would be right. */
export interface ErrorDetail {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: readonly string[] | string;
}

interface AppErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** The request counts against the quota although it failed, because the work was done. */
  readonly counts?: boolean;
}

/** A documented error. Anything else that is thrown is a bug: logged, and answered as `internal_error`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly counts: boolean;

  constructor(
    readonly code: ErrorCode,
    message?: string,
    options: AppErrorOptions = {},
  ) {
    const definition: ErrorDefinition = ERRORS[code];
    super(message ?? definition.message, { cause: options.cause });
    this.status = definition.status;
    this.details = options.details;
    this.counts = options.counts ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? definition.retryAfterSeconds;
  }
}

/** The payment provider does not answer now, or answers that it cannot; asked later, it may. */
export class PaymentsAwayError extends AppError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('billing_unavailable', message, options);
  }
}

/** A 400 for one field. */
export function invalidField(field: string, reason: string, allowed?: readonly string[] | string): AppError {
  return invalidFields([allowed === undefined ? { field, reason } : { field, reason, allowed }]);
}

/** A 400 for several fields; its message names the first, and how many others there are. */
export function invalidFields(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new AppError('invalid_request', first && `${shortened(first.field)}: ${first.reason}${more}`, { details });
}

/** Text of a request, as errors repeat it: shorter than any key or token that stands where a name belongs. */
export function shortened(text: string, maxCharacters = 40): string {
  if (text.length <= maxCharacters) return text;
  // Not half of a surrogate pair.
  return `${text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
