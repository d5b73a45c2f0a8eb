// The one table of error codes: status, default message, what a client should do, and whether to retry. OpenAPI, docs and
// tests derive from it.

interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
  /** Advice to the developer of a client, in Markdown. */
  readonly action: string;
  /** Seconds for `Retry-After` when the thrower gives none. Every 503 has it. */
  readonly retryAfterSeconds?: number;
}

export const ERRORS = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid.',
    action: 'Correct the parameters and fields that `details` names.',
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON.', action: 'Send JSON (RFC 8259), in UTF-8.' },
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing or not valid. Send it in the X-API-Key header.',
    action: 'Send the key as it was shown. Replace a lost one with `POST /auth/regenerate-key`.',
  },
  invalid_token: {
    status: 401,
    message:
      'The access token is missing, malformed or expired, or its session has ended. Sign in, or get another ' +
      'from /auth/refresh.',
    action: 'Renew the token with `POST /auth/refresh`, or sign in again.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    action: 'Ask for the password again, or for a link with `POST /auth/forgot-password`.',
  },
  session_ended: {
    status: 401,
    message: 'The session has ended. Sign in again.',
    action: 'Sign in with `POST /auth/login`.',
  },
  forbidden: {
    status: 403,
    message: 'This is not allowed.',
    action: 'Read `message`: usually the request comes from a page or origin that is not allowed.',
  },
  brand_limit: {
    status: 403,
    message: 'The plan has no room for more own brands.',
    action: 'Remove own brands, or change the plan; `message` has the limit.',
  },
  account_suspended: {
    status: 403,
    message: 'This account is suspended. Write to the operator of this service.',
    action: 'Stop sending requests with this account: only the operator ends a suspension.',
  },
  not_found: {
    status: 404,
    message: 'There is no such entry.',
    action: 'Check the name. `GET /v1/search` finds entries, `fallback` gives a picture for unknown ones.',
  },
  route_not_found: {
    status: 404,
    message: 'There is no such route. GET /openapi.json lists them all; /docs reads better.',
    action: 'Check path and version.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not take this method; see the Allow header.',
    action: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    message: 'The Accept header allows none of the formats of this route.',
    action: 'Send an `Accept` header with a documented media type, or none.',
  },
  email_taken: {
    status: 409,
    message: 'There is an account with this e-mail address already.',
    action: 'Sign in, or request a link with `POST /auth/forgot-password`.',
  },
  session_limit: {
    status: 409,
    message:
      'This account has 100 live sessions. End one, or repeat the sign-in with "endOldest": true, which ends the one ' +
      'that was unused longest.',
    action: 'End sessions (`DELETE /auth/sessions/{id}`), or repeat the sign-in with `endOldest`.',
  },
  already_subscribed: {
    status: 409,
    message: 'There is a subscription already. POST /v1/billing/portal leads to the page where it is changed.',
    action: 'Change the subscription with `POST /v1/billing/portal`.',
  },
  no_customer: {
    status: 409,
    message: 'Nothing was ever bought with this account. Begin with POST /v1/billing/checkout.',
    action: 'Buy a plan with `POST /v1/billing/checkout` first.',
  },
  conflict: {
    status: 409,
    message: 'It was changed at the same time by another request. Try again.',
    action: 'Read the current state, then repeat the request.',
  },
  precondition_failed: {
    status: 412,
    message: 'It is no longer as the condition of the request says: it was changed, made or removed meanwhile.',
    action: 'Read the current state, and repeat the request with its `ETag`.',
  },
  gone: {
    status: 410,
    message: 'This entry was withdrawn.',
    action: 'Remove the entry from your pages; `message` has the reason.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than 64 KB.',
    action: 'Send less in one request; split batches.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
    action: 'Set `Content-Type: application/json`.',
  },
  unprocessable: {
    status: 422,
    message: 'This picture cannot be drawn with these parameters.',
    action: 'Change the parameters or the variant; `message` has the reason.',
  },
  quota_exceeded: {
    status: 429,
    message: "Today's quota is used up.",
    action: 'Wait as long as `Retry-After` says, or change the plan.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests at once.',
    retryAfterSeconds: 1,
    action: 'Wait as long as `Retry-After` says, and spread requests.',
  },
  login_throttled: {
    status: 429,
    message: 'Too many wrong passwords. Wait, or choose a new password with a link.',
    action: 'Wait as long as `Retry-After` says, or set a new password with `POST /auth/forgot-password`.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong here. The request id names the log entry.',
    action: 'Report it with the `X-Request-Id` of the response.',
  },
  unavailable: {
    status: 503,
    message: 'The service is not available right now.',
    retryAfterSeconds: 2,
    action: 'Repeat the request after the seconds in `Retry-After`.',
  },
  billing_unavailable: {
    status: 503,
    message: 'Billing is not available right now.',
    retryAfterSeconds: 5,
    action:
      'Repeat the request after the seconds in `Retry-After`. If it stays so, ask the operator whether plans are sold.',
  },
  busy: {
    status: 503,
    message: 'Too much work is waiting. Try again in a moment.',
    retryAfterSeconds: 1,
    action: 'Repeat the request after the seconds in `Retry-After`.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** One wrong field of a request: its name, what is wrong, and what would be right. */
export interface ErrorDetail {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: readonly string[] | string;
  /** Of a rejected drawing: the kind of rejection. */
  readonly code?: string;
  /** Of a rejected drawing: name of the element that is the reason, and its line in the file, from 1. */
  readonly element?: string;
  readonly line?: number;
  /** What to do. */
  readonly advice?: string;
  /** Path of the page about it. */
  readonly help?: string;
}

interface AppErrorOptions {
  /** Fields of the log, such as the account that the request was found to be of. */
  readonly logFields?: Readonly<Record<string, string>>;
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

/** For `catch`: nothing comes of an error with this code; others are thrown again. */
export function ignoring(code: ErrorCode): (error: unknown) => undefined {
  return (error) => {
    if (!isCode(error, code)) throw error;
  };
}

/** Text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** As `messageOf`, but in a driver's words, where the error has others for a client. */
export function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

/** The payment provider does not answer now, or answers that it cannot; asked later, it may. */
export class PaymentsAwayError extends AppError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('billing_unavailable', message, options);
  }
}

/** The database no longer keeps the moment that is read: MongoDB keeps five minutes unless it is told otherwise. */
export class SnapshotTooOldError extends Error {
  override readonly name = 'SnapshotTooOldError';
  constructor(options: { readonly cause?: unknown } = {}) {
    super(
      'MongoDB no longer keeps the moment that is read. Raise its parameter minSnapshotHistoryWindowInSeconds, or back MongoDB up by its own means',
      options,
    );
  }
}

/** Nothing is sold in this deployment. */
export function billingOffError(): AppError {
  return new AppError(
    'billing_unavailable',
    'Billing is not set up here: the operator has not given STRIPE_SECRET_KEY.',
  );
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
