// Services that features offer to each other, to handlers and to jobs. Each feature adds its part in its `services.ts`,
// by declaration merging.
import type { Turns } from './concurrency/time-slices.js';
import type { MissingListeners } from './not-found.js';
import type { Health } from './http/health.js';
import type { Codings } from './http/response/compression.js';

/** Settings of the operator that responses show. */
export interface Deployment {
  /** PUBLIC_URL without a trailing slash. */
  readonly origin: string;
  readonly version: string;
  /** Markdown about the limits of each plan. */
  readonly limits: string;
  /** `on`: accounts can buy plans. */
  readonly billing: 'on' | 'off';
  /** `off`: mails are files that only the operator can read. */
  readonly mail: 'on' | 'off';
  /** URI at which people reach the operator. */
  readonly operatorContact: string | null;
  /** E-mail addresses of the operators' accounts, in lower case. */
  readonly operatorEmails: readonly string[];
  /** URIs for security reports, the preferred one first. */
  readonly securityContacts: readonly string[];
}

export interface Services {
  readonly deployment: Deployment;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  readonly health: Health;
  readonly missing: MissingListeners;
  /** Codings for content that differs in every response. */
  readonly answerCodings: Codings;
  /** Codings for content with a strong tag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** Turns for long work on the event loop. */
  readonly turns: Turns;
}
