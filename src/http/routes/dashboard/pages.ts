// The pages of the dashboard, one document with the scripts of each, and the files that it loads.
import { z } from 'zod';
import { MAX_VISITOR_SIDE } from '../../../domain/picture/picture-request.js';
import { dashboardFiles, dashboardPage } from '../../pages/dashboard-files.js';
import type { DashboardSettings } from '../../pages/dashboard-settings.js';
import { DASHBOARD_POLICY, pageFile, pageHeaders } from '../../pages/page-files.js';
import { staticReply } from '../../response/static-reply.js';
import type { Deployment } from '../../route-services.js';
import { route, type Route } from '../../route.js';
import { NOT_MODIFIED, pageFilesRoute } from './page-file-route.js';

/** The addresses of the pages, with the names of the files below src/dashboard/pages/ that have them; src/dashboard/app.tsx has the same. */
export const DASHBOARD_PAGES = {
  '/': 'front-page',
  '/register': 'register',
  '/confirm-registration': 'confirm-registration',
  '/sign-in': 'sign-in',
  '/forgot-password': 'forgot-password',
  '/reset-password': 'reset-password',
  '/verify-email': 'verify-email',
  '/confirm-email': 'confirm-email',
  '/account-deleted': 'account-deleted',
  '/catalog': 'catalog',
  '/catalog/{slug}': 'logo-pages',
  '/moving': 'logo-pages',
  '/strip': 'logo-pages',
  '/overview': 'overview',
  '/usage': 'usage',
  '/keys': 'keys',
  '/brands': 'own-brands',
  '/sessions': 'sessions',
  '/account': 'account',
  '/billing': 'billing',
} as const;

export function dashboardSettings(deployment: Deployment): DashboardSettings {
  const { origin, registration, gallery, billing, operatorContact, minPasswordCharacters } = deployment;
  const maxVisitorSide = MAX_VISITOR_SIDE;
  return { origin, registration, gallery, billing, operatorContact, minPasswordCharacters, maxVisitorSide };
}

export function dashboardPageRoutes(settings: DashboardSettings): Route[] {
  const headers = pageHeaders(DASHBOARD_POLICY);
  const pageRoute = ([path, name]: readonly [string, string]): Route => {
    const page = staticReply(dashboardPage(name, settings), headers);
    return route(`GET ${path}`, {
      auth: 'none',
      hidden: true,
      page: true,
      summary: 'A page of the dashboard',
      ...(path.includes('{slug}') && { params: z.strictObject({ slug: z.string() }) }),
      responses: { 200: { description: 'A page', media: 'text/html' }, 304: NOT_MODIFIED },
      handle: () => page,
    });
  };
  const files = {
    ...dashboardFiles(),
    'start.css': pageFile('assets/start.css'),
    'start.js': pageFile('assets/start.js'),
  };
  return [...Object.entries(DASHBOARD_PAGES).map(pageRoute), pageFilesRoute('/assets', files)];
}
