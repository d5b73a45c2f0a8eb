// The answer to a URL without a route: a page for browsers, JSON for all other clients.
import type { AppError } from '../../errors.js';
import { errorReply, NO_STORE, type HeaderFields, type Reply } from '../response/reply.js';
import { pageHeaders, readPage } from './page-files.js';

const VARY = { Vary: 'Accept' };

/** `prefersHtml`: by the request's `Accept` (RFC 9110, section 12.5.1). */
export function createNotFound(): (error: AppError, prefersHtml: boolean, ...headers: HeaderFields[]) => Reply {
  const page = readPage('assets/not-found.html');
  const pageFields = { ...pageHeaders("style-src 'self'; img-src 'self'"), ...NO_STORE };
  return (error, prefersHtml, ...headers) =>
    prefersHtml
      ? { kind: 'reply', status: error.status, headers: [pageFields, VARY, ...headers], body: page }
      : errorReply(error, VARY, ...headers);
}
