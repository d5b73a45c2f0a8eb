// Errors of requests, as pages show them.
import type { components } from './openapi.js';

export type ErrorBody = components['schemas']['Error'];

/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorBody['error'];
  readonly details: NonNullable<ErrorBody['details']>;

  constructor(
    readonly status: number,
    body: ErrorBody,
    /** Of `Retry-After`. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(body.message);
    this.code = body.error;
    this.details = body.details ?? [];
  }

  /** What is wrong with this field of the request, as a sentence. */
  fieldError(field: string): string | undefined {
    const detail = this.details.find((each) => each.field === field);
    if (!detail) return undefined;
    const allowed = Array.isArray(detail.allowed) ? detail.allowed.join(', ') : detail.allowed;
    return `${capitalized(detail.reason)}.${allowed === undefined ? '' : ` Allowed: ${allowed}.`}`;
  }
}

/** There was no answer, or one that is not the service's. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Nobody is signed in any more. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

/** Whether the same request may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status === 503))
  );
}

/** One sentence or two for people. */
export function errorText(error: unknown): string {
  if (error instanceof UnreachableError)
    return navigator.onLine
      ? 'The service could not be reached. Nothing was lost; try again.'
      : 'You are offline. Nothing was lost; try again when you are connected.';
  if (error instanceof SignedOutError) return 'Your session has ended. Sign in again to continue.';
  if (error instanceof ApiError) {
    const [detail] = error.details;
    return detail && error.code === 'invalid_request'
      ? (error.fieldError(detail.field) ?? error.message)
      : error.message;
  }
  return 'Something went wrong on this page. Reload it to try again.';
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
