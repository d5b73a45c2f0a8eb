// Services that features offer to each other, to handlers and to jobs. Features declare them in their `services.ts`, by
// declaration merging.
import type { Turns } from './concurrency/time-slices.js';
import type { MissingListeners } from './not-found.js';
import type { Health } from './http/health.js';
import type { Codings } from './http/response/compression.js';

/** Settings of the operator that responses show. */
export interface Deployment {
  /** PUBLIC_URL without a trailing slash. */
  readonly origin: string;
  readonly version: string;
  /** Markdown text about the limits of each plan. */
  readonly limits: string;
  /** `on`: accounts can buy plans. */
  readonly billing: 'on' | 'off';
  /** `off`: mails are files that only the operator can read. */
  readonly mail: 'on' | 'off';
  /** URI at which people can contact the operator; null if unknown. */
  readonly operatorContact: string | null;
  /** E-mail addresses of the operators' accounts, in lower case. */
  readonly operatorEmails: readonly string[];
  /** URIs for security reports, preferred one first. */
  readonly securityContacts: readonly string[];
}

export interface Services {
  readonly deployment: Deployment;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  readonly health: Health;
  readonly missing: MissingListeners;
  /** Compressed forms for content that differs in every response. */
  readonly answerCodings: Codings;
  /** Returns the compressed forms of content with this strong ETag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** Runs long computations in slices of the event loop (`time-slices.ts`). Callers alternate. */
  readonly turns: Turns;
}
