// The answer to a URL without a route: a page for browsers, JSON for all other clients.
import type { AppError } from '../../errors.js';
import { errorReply, NO_STORE, type HeaderFields, type Reply } from '../response/reply.js';
import { DASHBOARD_POLICY, pageHeaders } from './page-files.js';

export interface NotFoundPage {
  readonly html: string;
}

const VARY = { Vary: 'Accept' };

/** `prefersHtml`: by the request's `Accept` (RFC 9110, section 12.5.1). */
export function createNotFound(
  page: NotFoundPage | undefined,
): (error: AppError, prefersHtml: boolean, ...headers: HeaderFields[]) => Reply {
  const pageFields = { ...pageHeaders(DASHBOARD_POLICY), ...NO_STORE };
  return (error, prefersHtml, ...headers) =>
    page && prefersHtml
      ? { kind: 'reply', status: error.status, headers: [pageFields, VARY, ...headers], body: page.html }
      : errorReply(error, VARY, ...headers);
}
