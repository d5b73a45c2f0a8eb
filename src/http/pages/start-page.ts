// The answer in the place of a page until there is a catalog: how far the first import is, for browsers, else JSON.
import type { Context } from 'koa';
import { catalogMissingError } from '../../services/catalog/catalog.js';
import { importPercent, importText, type ImportProgress } from '../../services/catalog/import-progress.js';
import { errorReply, NO_STORE, VARY_ACCEPT, type Reply } from '../response/reply.js';
import { DASHBOARD_POLICY, filled, pageHeaders, readPage } from './page-files.js';

export interface StartPage {
  readonly isStarting: () => boolean;
  /** Undefined while nothing is known, as before an import has begun. */
  readonly importProgress: () => ImportProgress | undefined;
}

/** The part of a route that says whether it answers with a document that people see. */
interface RouteText {
  readonly page?: true;
  readonly responses: Readonly<Record<number, { readonly media?: string }>>;
}

/** Undefined for other routes, and when pages can be served. */
export function createStartPage(
  page: StartPage | undefined,
): (route: RouteText, context: Context) => Reply | undefined {
  const template = readPage('assets/start.html');
  const fields = { ...pageHeaders(DASHBOARD_POLICY), ...NO_STORE, ...VARY_ACCEPT };
  return (route, context) => {
    if (!isHtmlPage(route) || !page?.isStarting()) return undefined;
    // It asks for itself every second, and the terminal shows a progress bar meanwhile.
    context.state.isQuiet = true;
    const error = catalogMissingError();
    if (context.accepts('json', 'html') !== 'html') return errorReply(error, VARY_ACCEPT);
    const progress = page.importProgress() ?? { phase: 'open' };
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

function isHtmlPage({ page, responses }: RouteText): boolean {
  return page === true && responses[200]?.media === 'text/html';
}
