// Error for an unsuccessful response, with the code of the API.
import type { components } from './openapi.js';

export type ErrorCode = components['schemas']['Error']['error'];
type Details = components['schemas']['Error']['details'];

interface BlazonErrorFacts {
  readonly response?: Response;
  readonly details?: Details | undefined;
  readonly cause?: unknown;
}

/**
 * Error for an unsuccessful or missing response. Without a response, `code` is `network`. An aborted request rejects
 * with the reason of its `signal` instead of this error.
 */
export class BlazonError extends Error {
  override readonly name = 'BlazonError';
  /** HTTP status, or 0 without a response. */
  readonly status: number;
  readonly response: Response | undefined;
  readonly details: Details | undefined;

  constructor(
    /**
     * Code of the API. `network`: the service cannot be reached. `unknown`: something else has sent the response, for
     * example a proxy.
     */
    readonly code: ErrorCode | 'network' | 'unknown',
    message: string,
    { response, details, cause }: BlazonErrorFacts,
  ) {
    super(message, { cause });
    this.status = response?.status ?? 0;
    this.response = response;
    this.details = details;
  }
}
