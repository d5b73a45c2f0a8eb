// The answer in the place of a page until there is a catalog: how far the first import is, for browsers, else JSON.
import { catalogMissingError } from '../../services/catalog/catalog.js';
import { importPercent, importText, type ImportProgress } from '../../services/catalog/import-progress.js';
import { errorReply, NO_STORE, VARY_ACCEPT, type Reply } from '../response/reply.js';
import { DASHBOARD_POLICY, filled, pageHeaders, readPage } from './page-files.js';

export interface StartPage {
  readonly isStarting: () => boolean;
  /** Undefined while nothing is known, as before an import has begun. */
  readonly progress: () => ImportProgress | undefined;
  /** Of PUBLIC_URL. */
  readonly origin: string;
}

/** Undefined when pages can be served. `prefersHtml`: by the request's `Accept` (RFC 9110, section 12.5.1). */
export function createStartPage(page: StartPage | undefined): (prefersHtml: () => boolean) => Reply | undefined {
  const template = readPage('assets/start.html');
  const fields = { ...pageHeaders(DASHBOARD_POLICY, page?.origin), ...NO_STORE, ...VARY_ACCEPT };
  return (prefersHtml) => {
    if (!page?.isStarting()) return undefined;
    const error = catalogMissingError();
    if (!prefersHtml()) return errorReply(error, VARY_ACCEPT);
    const progress = page.progress() ?? { phase: 'open' };
    const percent = importPercent(progress);
    const body = filled(template, {
      // Without a value the bar says that something goes on, and not how far it is.
      value: percent === undefined ? '' : `value="${percent}"`,
      percent: percent === undefined ? '' : `${percent} %, `,
      text: importText(progress),
    });
    const retry = { 'Retry-After': String(error.retryAfterSeconds) };
    return { kind: 'reply', status: error.status, headers: [fields, retry], body };
  };
}
