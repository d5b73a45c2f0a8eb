// Pages that links in mails lead to, with their style sheet and script.
import { z } from 'zod';
import { LINK_LIFETIME_MS, type LinkPurpose } from '../../../domain/account/email-link.js';
import { AppError } from '../../../errors.js';
import type { ConditionalReply } from '../../response/reply.js';
import { staticReply } from '../../response/static-reply.js';
import { LINK_CSS, LINK_SCRIPT, linkPage } from '../../pages/link-pages.js';
import { publicRoute, type Route } from '../../route.js';

const PAGE_FIELDS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
/** Revalidated each time: a page of this release must not run the script of the last one. */
const FILE_FIELDS = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
const FILES: Readonly<Record<string, ConditionalReply>> = {
  'page.css': staticReply(LINK_CSS, { ...FILE_FIELDS, 'Content-Type': 'text/css; charset=utf-8' }),
  'page.js': staticReply(LINK_SCRIPT, { ...FILE_FIELDS, 'Content-Type': 'text/javascript; charset=utf-8' }),
};

export function linkPageRoutes({ minPasswordCharacters }: { readonly minPasswordCharacters: number }): Route[] {
  return [
    ...(Object.keys(LINK_LIFETIME_MS) as LinkPurpose[]).map((purpose) => pageRoute(purpose, minPasswordCharacters)),
    publicRoute({
      method: 'GET',
      path: '/links/{file}',
      hidden: true,
      tag: 'Account',
      summary: 'File of these pages',
      params: z.strictObject({ file: z.string() }),
      responses: {
        200: { description: 'A style sheet or a script' },
        304: { description: 'Not modified' },
      },
      errors: ['route_not_found'],
      handle: ({ params: { file } }) => {
        const found = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
        if (!found) throw new AppError('route_not_found');
        return found;
      },
    }),
  ];
}

function pageRoute(purpose: LinkPurpose, minPasswordCharacters: number): Route {
  const page = staticReply(linkPage(purpose, minPasswordCharacters), PAGE_FIELDS);
  return publicRoute({
    method: 'GET',
    path: `/${purpose}`,
    hidden: true,
    page: true,
    tag: 'Account',
    summary: 'Page of a link in a mail',
    responses: {
      200: { description: 'A page', media: 'text/html' },
      304: { description: 'Not modified' },
    },
    errors: [],
    handle: () => page,
  });
}
