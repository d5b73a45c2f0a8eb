// Protection against cross-site request forgery for routes that accept cookies (OWASP, Cross-Site Request Forgery).
import type { Context } from 'koa';
import { AppError } from '../../platform/errors.js';
import { isJson } from '../../platform/http/request/body.js';

/**
 * Checks that a page of this service has sent the GET request, or that a person has opened the URL directly. Pages of
 * other origins must not embed the response. Browsers send `Sec-Fetch-Site` only to https and to localhost. Without
 * that header, checks `Referer`, which pages of this service always send because of their `Referrer-Policy`. Throws
 * AppError `forbidden`.
 */
export function assertOwnPage({ req: { headers } }: Pick<Context, 'req'>, publicOrigin: string): void {
  const { 'sec-fetch-site': site, referer } = headers;
  const isOwn =
    site === undefined ? referer?.startsWith(`${publicOrigin}/`) === true : site === 'same-origin' || site === 'none';
  if (!isOwn)
    throw new AppError(
      'forbidden',
      `Only pages of ${publicOrigin} can use this route. Other clients use /v1 with an API key.`,
    );
}

/**
 * Checks the headers `Origin` and `Sec-Fetch-Site`, which scripts in pages cannot set. At least one of the two must be
 * present, and neither may be about another origin. The body must be JSON, which a form cannot send. Throws AppError:
 * `forbidden`, `unsupported_media_type`.
 */
export function assertSameOrigin(context: Pick<Context, 'req' | 'request'>, publicOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = context.req.headers;
  if (origin === undefined && site === undefined)
    throw new AppError('forbidden', `The request has no origin. Send the header Origin: ${publicOrigin}.`);
  if ((origin ?? publicOrigin) !== publicOrigin || (site ?? 'same-origin') !== 'same-origin')
    throw new AppError('forbidden', `Only pages of ${publicOrigin} can use this route.`);
  if (!isJson(context)) throw new AppError('unsupported_media_type');
}
