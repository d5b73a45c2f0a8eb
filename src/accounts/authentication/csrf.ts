// Protection of cookie routes against cross-site request forgery (owasp.org, Cross-Site Request Forgery).
import type { Context } from 'koa';
import { AppError } from '../../platform/errors.js';
import { isJson } from '../../platform/http/request/body.js';

/**
 * Checks a GET request of this service's pages: a page of another origin must not embed the response. Browsers send
 * `Sec-Fetch-Site` to https and localhost. Over plain http on other hosts, `Referer` names the page; this service's
 * pages set a policy that sends it. An address opened by a person has no page. Throws AppError `forbidden`.
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
 * Checks `Origin` and `Sec-Fetch-Site`, which pages cannot set. Each one present must be right, and at least one must
 * be present. The body must be JSON, which a form cannot send. Throws AppError: `forbidden`, `unsupported_media_type`.
 */
export function assertSameOrigin(context: Pick<Context, 'req' | 'request'>, publicOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = context.req.headers;
  if (origin === undefined && site === undefined)
    throw new AppError('forbidden', `The request has no origin. Send the header Origin: ${publicOrigin}.`);
  if ((origin ?? publicOrigin) !== publicOrigin || (site ?? 'same-origin') !== 'same-origin')
    throw new AppError('forbidden', `Only pages of ${publicOrigin} can use this route.`);
  if (!isJson(context)) throw new AppError('unsupported_media_type');
}
