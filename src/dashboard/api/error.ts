// Errors of requests, as pages show them.
import type { components } from './openapi.js';

export type ErrorBody = components['schemas']['Error'];

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorBody['error'];
  readonly details: NonNullable<ErrorBody['details']>;

  constructor(
    readonly status: number,
    body: ErrorBody,
    /** Seconds after which the request may be repeated, from `Retry-After`. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(body.message);
    this.code = body.error;
    this.details = body.details ?? [];
  }
}

/** No response arrived, or the response did not come from the service. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** A form was not sent, because the text in one of its fields is not valid. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  /** `sentence` explains the problem. It is shown beside the field. */
  constructor(
    readonly field: string,
    readonly sentence: string,
  ) {
    super(sentence);
  }
}

/** Error of an action of the page. The page shows its message. */
export class ShownError extends Error {
  override readonly name = 'ShownError';
}

/** Nobody is signed in anymore. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

export function isApiError(error: unknown, code: ErrorBody['error']): boolean {
  return error instanceof ApiError && error.code === code;
}

/** Returns true if the same request may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status === 503))
  );
}

/** Returns the error of this field or of a part of it (`origins.0`), as a sentence. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (error instanceof FieldError) return error.field === field ? error.sentence : undefined;
  const detail = error instanceof ApiError && error.details.find((each) => each.field.startsWith(field));
  if (!detail) return undefined;
  const text = detailText(detail);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Omits the allowed values if the reason already contains them. */
function detailText({ reason, allowed = [] }: ApiError['details'][number]): string {
  const list = [allowed].flat().join(', ');
  return reason.includes(list) ? `${reason}.` : `${reason}. Allowed: ${list}.`;
}

/** Returns one or two readable sentences. */
export function errorText(error: unknown): string {
  if (error instanceof UnreachableError)
    return navigator.onLine
      ? 'The service could not be reached. Nothing was lost; try again.'
      : 'You are offline. Nothing was lost; try again when you are connected.';
  if (error instanceof SignedOutError) return 'Your session has ended. Sign in again to continue.';
  if (error instanceof ShownError) return error.message;
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it to try again.';
  const { code, details, message } = error;
  const [first] = details;
  return code === 'invalid_request' && first ? `${first.field}: ${detailText(first)}` : message;
}
