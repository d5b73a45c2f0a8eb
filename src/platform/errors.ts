// Table of all error codes: status, default message, advice for clients, and whether a retry may succeed. The OpenAPI
// document, the documentation and tests use this table.

interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
  /** Advice for developers of clients, in Markdown. */
  readonly action: string;
  /** Default value of `Retry-After` in seconds. Every error with status 503 has this value. */
  readonly retryAfterSeconds?: number;
}

export const ERRORS = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid.',
    action: 'Correct the parameters and fields listed in `details`.',
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON.', action: 'Send valid JSON (RFC 8259) in UTF-8.' },
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing or not valid. Send it in the X-API-Key header.',
    action: 'Check that you send the complete key. If you lost it, create a new one with `POST /auth/regenerate-key`.',
  },
  invalid_token: {
    status: 401,
    message:
      'The access token is missing, malformed or expired, or its session has ended. Sign in, or get a new token from ' +
      '/auth/refresh.',
    action: 'Get a new token with `POST /auth/refresh`, or sign in again.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    action: 'Ask the user for the password again, or send a reset link with `POST /auth/forgot-password`.',
  },
  session_ended: {
    status: 401,
    message: 'The session has ended. Sign in again.',
    action: 'Sign in with `POST /auth/login`.',
  },
  forbidden: {
    status: 403,
    message: 'This request is not allowed.',
    action:
      'Read `message` for the reason. In most cases, the request comes from a page or origin that is not allowed.',
  },
  brand_limit: {
    status: 403,
    message: 'The plan does not allow more own brands.',
    action: 'Remove own brands, or upgrade the plan. `message` contains the limit.',
  },
  account_suspended: {
    status: 403,
    message: 'This account is suspended. Contact the operator of this service.',
    action: 'Stop sending requests with this account, and contact the operator, who can lift the suspension.',
  },
  not_found: {
    status: 404,
    message: 'There is no such entry.',
    action:
      'Check the name. `GET /v1/search` finds entries. For pictures, `fallback` returns a replacement instead of ' +
      'this error.',
  },
  route_not_found: {
    status: 404,
    message: 'There is no such route. See GET /openapi.json or /docs for all routes.',
    action: 'Check the path, including its version.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method. See the Allow header.',
    action: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    message: 'This route cannot return any of the media types in the Accept header.',
    action: 'Send an `Accept` header with one of the documented media types, or omit it.',
  },
  email_taken: {
    status: 409,
    message: 'There is already an account with this e-mail address.',
    action: 'Sign in, or request a reset link with `POST /auth/forgot-password`.',
  },
  session_limit: {
    status: 409,
    message:
      'This account has 100 active sessions. End a session, or repeat the sign-in with "endOldest": true to end the ' +
      'session that has been unused for the longest time.',
    action: 'End a session (`DELETE /auth/sessions/{id}`), or repeat the sign-in with `endOldest`.',
  },
  already_subscribed: {
    status: 409,
    message: 'This account already has a subscription. Change it with POST /v1/billing/portal.',
    action: 'Change the subscription with `POST /v1/billing/portal`.',
  },
  no_customer: {
    status: 409,
    message: 'This account has never bought a plan. Buy one with POST /v1/billing/checkout.',
    action: 'Buy a plan with `POST /v1/billing/checkout` first.',
  },
  conflict: {
    status: 409,
    message: 'Another request changed the resource at the same time. Try again.',
    action: 'Fetch the current state, then repeat the request.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since you read it. Fetch it again and retry.',
    action: 'Fetch the current state, then repeat the request with its `ETag`.',
  },
  gone: {
    status: 410,
    message: 'This entry was withdrawn.',
    action: 'Remove the entry from your pages. `message` contains the reason.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than 64 KB.',
    action: 'Send less data in one request. Split batches.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
    action: 'Set `Content-Type: application/json`.',
  },
  unprocessable: {
    status: 422,
    message: 'This picture cannot be drawn with these parameters.',
    action: 'Change the parameters or the variant. `message` contains the reason.',
  },
  quota_exceeded: {
    status: 429,
    message: "Today's quota is used up.",
    action: 'Wait for the number of seconds in `Retry-After`, or upgrade the plan.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests at once.',
    retryAfterSeconds: 1,
    action: 'Wait for the number of seconds in `Retry-After`, then send requests more slowly.',
  },
  login_throttled: {
    status: 429,
    message: 'Too many wrong passwords. Wait, or set a new password with a reset link.',
    action:
      'Wait for the number of seconds in `Retry-After`, or request a reset link with `POST /auth/forgot-password`.',
  },
  internal_error: {
    status: 500,
    message: 'An unexpected error occurred. The log entry has the request ID of this response.',
    action: 'Try again. If the error occurs again, report the `X-Request-Id` of the response to the operator.',
  },
  unavailable: {
    status: 503,
    message: 'The service is not available right now.',
    retryAfterSeconds: 2,
    action: 'Retry after the number of seconds in `Retry-After`.',
  },
  billing_unavailable: {
    status: 503,
    message: 'Billing is not available right now.',
    retryAfterSeconds: 5,
    action:
      'Retry after the number of seconds in `Retry-After`. If the error persists, ask the operator whether plans ' +
      'are sold.',
  },
  busy: {
    status: 503,
    message: 'Too much work is waiting. Try again in a moment.',
    retryAfterSeconds: 1,
    action: 'Retry after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** Invalid field of a request: its name, the problem, and the allowed values. */
export interface ErrorDetail {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: readonly string[] | string;
  /** Code of the reason why a drawing was rejected. */
  readonly code?: string;
  /** Name of the drawing's rejected element, and its line in the file, starting at 1. */
  readonly element?: string;
  readonly line?: number;
  readonly advice?: string;
  readonly help?: string;
}

interface AppErrorOptions {
  /** Fields for the log line, such as the account. */
  readonly logFields?: Readonly<Record<string, string>>;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** True if the failed request still counts against the quota, because the service has done the work. */
  readonly counts?: boolean;
}

/** Documented error. Any other thrown value is a bug: it is logged, and the client gets `internal_error`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly counts: boolean;
  readonly logFields: Readonly<Record<string, string>> | undefined;

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
    this.logFields = options.logFields;
    this.retryAfterSeconds = options.retryAfterSeconds ?? definition.retryAfterSeconds;
  }
}

export function isCode(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code;
}

/** Returns a handler for `catch` that ignores errors with this code and rethrows others. */
export function ignoring(code: ErrorCode): (error: unknown) => undefined {
  return (error) => {
    if (!isCode(error, code)) throw error;
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the message of the error's cause, which is usually a driver's error. Without a cause, returns the error's own
 * message.
 */
export function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

/** Error if the payment provider does not respond, or reports that it is unavailable. A later call may succeed. */
export class PaymentsAwayError extends AppError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('billing_unavailable', message, options);
  }
}

/**
 * Error if the database no longer has the snapshot that is being read. MongoDB keeps snapshots for five minutes by
 * default.
 */
export class SnapshotTooOldError extends Error {
  override readonly name = 'SnapshotTooOldError';
  constructor(options: { readonly cause?: unknown } = {}) {
    super(
      'MongoDB no longer keeps the snapshot that is being read. Increase its parameter ' +
        'minSnapshotHistoryWindowInSeconds, or back up MongoDB with its own tools',
      options,
    );
  }
}

export function billingOffError(): AppError {
  return new AppError('billing_unavailable', 'Billing is not available: the operator has not set STRIPE_SECRET_KEY.');
}

export function invalidField(field: string, reason: string, allowed?: readonly string[] | string): AppError {
  return invalidFields([allowed === undefined ? { field, reason } : { field, reason, allowed }]);
}

/**
 * Returns an error with status 400 for several fields. Its message contains the first field and the number of further
 * fields.
 */
export function invalidFields(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new AppError('invalid_request', first && `${shortened(first.field)}: ${first.reason}${more}`, { details });
}

/**
 * Shortens text of a request for error messages. The default length is less than the length of a key or token, because
 * a client may have sent a key or token as a name.
 */
export function shortened(text: string, maxCharacters = 40): string {
  if (text.length <= maxCharacters) return text;
  // Removes an incomplete surrogate pair at the end.
  return `${text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
