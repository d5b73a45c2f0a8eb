// What handlers get as their second argument. Each feature adds its services in its own `route-services.ts`, by declaration merging.
import type { Turns } from '../concurrency/turns.js';
import type { Health } from './health.js';
import type { Codings } from './response/compression.js';

/** Settings of the operator that answers show. */
export interface Deployment {
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  readonly version: string;
  /** URI by which people reach the operator. */
  readonly operatorContact: string | null;
  /** URIs by which weaknesses are reported, the preferred one first. */
  readonly securityContacts: readonly string[];
}

export interface RouteServices {
  readonly deployment: Deployment;
  /** ms since the epoch */
  readonly now: () => number;
  readonly health: Health;
  /** For what differs from answer to answer. */
  readonly answerCodings: Codings;
  /** For what has a strong tag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** For long work on the event loop. */
  readonly turns: Turns;
}
