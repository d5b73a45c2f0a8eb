// A response that is no success, as an error with its code.
import type { components } from './openapi.js';

export type ErrorCode = components['schemas']['Error']['error'];
type Details = components['schemas']['Error']['details'];

interface BlazonErrorFacts {
  readonly response?: Response;
  readonly details?: Details | undefined;
  readonly cause?: unknown;
}

/** A response that is no success, or none: `code` is `network` then. A request that its `signal` ends rejects with the signal's reason. */
export class BlazonError extends Error {
  override readonly name = 'BlazonError';
  /** 0 without a response. */
  readonly status: number;
  readonly response: Response | undefined;
  readonly details: Details | undefined;

  constructor(
    /** `network`: the service cannot be reached. `unknown`: something between answered in its place. */
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
