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
  /** Markdown text with the limits of each plan. */
  readonly limits: string;
  /** Whether accounts can buy plans. `on`: yes. `off`: no. */
  readonly billing: 'on' | 'off';
  /** Whether mails reach users. `on`: yes. `off`: mails are only written to files, which the operator can read. */
  readonly mail: 'on' | 'off';
  /** Whether icons are fetched from websites. `on`: yes. `off`: no. */
  readonly siteIcons: 'on' | 'off';
  /** URI at which people can contact the operator; null if unknown. */
  readonly operatorContact: string | null;
  /** URI at which owners of sites can have an icon removed; null if unknown. */
  readonly siteOwnerContact: string | null;
  /** E-mail addresses of the operators' accounts, in lower case. */
  readonly operatorEmails: readonly string[];
  /** URIs for security reports, most preferred first. */
  readonly securityContacts: readonly string[];
}

export interface Services {
  readonly deployment: Deployment;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  readonly health: Health;
  readonly missing: MissingListeners;
  /** Compresses content that differs in every response. Nothing is cached. */
  readonly answerCodings: Codings;
  /** Returns the compressed copies of the content with this strong ETag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** Divides long computations into short slices, so that other requests run in between (`time-slices.ts`). */
  readonly turns: Turns;
}
