// Protection against cross-site request forgery for routes that accept cookies (OWASP, Cross-Site Request Forgery).
import type { Context } from 'koa';
import { AppError } from '../../platform/errors.js';
import { isJson } from '../../platform/http/request/body.js';

/**
 * Checks that a GET request comes from a page of this service, or from an address that a person opened. Pages of other
 * origins must not embed the response. Browsers send `Sec-Fetch-Site` only to https and localhost. For plain http on
 * other hosts, `Referer` is checked. Pages of this service set a `Referrer-Policy` that makes browsers send `Referer`.
 * Throws AppError `forbidden`.
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
 * present, and each present header must name this origin. The body must be JSON, which a form cannot send. Throws
 * AppError: `forbidden`, `unsupported_media_type`.
 */
export function assertSameOrigin(context: Pick<Context, 'req' | 'request'>, publicOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = context.req.headers;
  if (origin === undefined && site === undefined)
    throw new AppError('forbidden', `The request has no origin. Send the header Origin: ${publicOrigin}.`);
  if ((origin ?? publicOrigin) !== publicOrigin || (site ?? 'same-origin') !== 'same-origin')
    throw new AppError('forbidden', `Only pages of ${publicOrigin} can use this route.`);
  if (!isJson(context)) throw new AppError('unsupported_media_type');
}
