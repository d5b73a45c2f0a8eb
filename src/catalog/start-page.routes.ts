// Middleware that answers requests for web pages while the catalog is empty or its index is not built. Browsers get a
// page with the progress of the first import, other clients get JSON.
import type { Context, Middleware } from 'koa';
import { catalogMissingError } from './catalog.js';
import { importPercent, importText, type ImportProgress } from './import/import-progress.js';
import { errorReply, VARY_ACCEPT, type Reply } from '../platform/http/response/reply.js';
import { filled, readPage, SUBSTITUTE_PAGE_FIELDS } from '../platform/http/pages/page-files.js';

export interface StartPage {
  readonly isStarting: () => boolean;
  /** Progress of the import. Undefined before the import has reported any progress. */
  readonly importProgress: () => ImportProgress | undefined;
}

const TEMPLATE = readPage('assets/start.html');

export function startPage({ isStarting, importProgress }: StartPage): Middleware {
  return (context, next) => {
    if (!isStarting()) return next();
    // Requests of the start page are not logged. The page reloads every second, and each log line would break the
    // progress bar in the terminal.
    context.state.isQuiet = true;
    context.state.reply = startPageReply(context, importProgress() ?? { phase: 'open' });
    return undefined;
  };
}

function startPageReply(context: Context, progress: ImportProgress): Reply {
  const error = catalogMissingError();
  if (context.accepts('json', 'html') !== 'html') return errorReply(error, VARY_ACCEPT);
  const percent = importPercent(progress);
  const body = filled(TEMPLATE, {
    // Without a value, the browser shows an indeterminate bar.
    value: percent === undefined ? '' : `value="${percent}"`,
    percent: percent === undefined ? '' : `${percent} %, `,
    text: importText(progress),
  });
  const retry = { 'Retry-After': String(error.retryAfterSeconds) };
  return { kind: 'reply', status: error.status, headers: [SUBSTITUTE_PAGE_FIELDS, retry], body };
}
