// The pages that mailed links open, and the files these load.
import { LINK_LIFETIME_MS, type LinkPurpose } from '../../../domain/account/email-link.js';
import { pageFile, pageHeaders, readPage } from '../../pages/page-files.js';
import { staticReply } from '../../response/static-reply.js';
import { publicRoute, type Route } from '../../route.js';
import { NOT_MODIFIED, pageFilesRoute } from '../pages/page-files.js';

const PAGE_POLICY = "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";

interface Options {
  readonly minPasswordCharacters: number;
}

export function linkPageRoutes({ minPasswordCharacters }: Options): Route[] {
  return [
    ...(Object.keys(LINK_LIFETIME_MS) as LinkPurpose[]).map((purpose) => pageRoute(purpose, { minPasswordCharacters })),
    pageFilesRoute('/links', 'Account', {
      'page.css': pageFile('assets/page.css'),
      'page.js': pageFile('browser/link-page.js'),
    }),
  ];
}

function pageRoute(purpose: LinkPurpose, { minPasswordCharacters }: Options): Route {
  const html = readPage(`assets/${purpose}.html`, { minPasswordCharacters });
  const page = staticReply(html, pageHeaders(PAGE_POLICY));
  return publicRoute({
    method: 'GET',
    path: `/${purpose}`,
    hidden: true,
    page: true,
    tag: 'Account',
    summary: 'The page that a mailed link opens',
    responses: { 200: { description: 'A page', media: 'text/html' }, 304: NOT_MODIFIED },
    errors: [],
    handle: () => page,
  });
}
