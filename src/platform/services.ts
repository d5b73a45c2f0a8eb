// What features offer to each other, to handlers and to jobs. Each adds its part in its `services.ts`, by declaration merging.
import type { Turns } from './concurrency/time-slices.js';
import type { MissingListeners } from './not-found.js';
import type { Health } from './http/health.js';
import type { Codings } from './http/response/compression.js';

/** Settings of the operator that answers show. */
export interface Deployment {
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  readonly version: string;
  /** Markdown about the limits of each plan. */
  readonly limits: string;
  /** `on`: accounts can buy plans. */
  readonly billing: 'on' | 'off';
  /** URI by which people reach the operator. */
  readonly operatorContact: string | null;
  /** URIs by which weaknesses are reported, the preferred one first. */
  readonly securityContacts: readonly string[];
}

export interface Services {
  readonly deployment: Deployment;
  /** ms since the epoch */
  readonly now: () => number;
  readonly health: Health;
  readonly missing: MissingListeners;
  /** For what differs from answer to answer. */
  readonly answerCodings: Codings;
  /** For what has a strong tag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** For long work on the event loop. */
  readonly turns: Turns;
}
