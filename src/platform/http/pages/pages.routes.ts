// Pages of the dashboard: an HTML document for each page, and the files that it loads.
import { z } from 'zod';
import { dashboardFiles, dashboardPage } from './dashboard-files.js';
import { MAX_VISITOR_SIDE, type DashboardSettings } from './dashboard-settings.js';
import { DASHBOARD_POLICY, pageFile, pageHeaders } from './page-files.js';
import { staticReply } from '../response/static-reply.js';
import type { Deployment } from '../../services.js';
import { route, type Route } from '../route.js';
import { NOT_MODIFIED, pageFilesRoute } from './page-file-route.routes.js';

/**
 * Path of a page (src/dashboard/app.tsx) → module below src/dashboard/ that the page loads besides the main script.
 * Undefined if the page needs only the main script.
 */
export const DASHBOARD_PAGES: Readonly<Record<string, string | undefined>> = {
  '/': undefined,
  '/register': undefined,
  '/confirm-registration': undefined,
  '/sign-in': undefined,
  '/forgot-password': undefined,
  '/reset-password': undefined,
  '/verify-email': undefined,
  '/confirm-email': undefined,
  '/account-deleted': undefined,
  '/catalog': 'pages/catalog/catalog.tsx',
  '/catalog/{slug}': 'pages/logo-pages.ts',
  '/migration': 'pages/logo-pages.ts',
  '/strip': 'pages/logo-pages.ts',
  '/overview': undefined,
  '/usage': 'pages/account/usage-chart.tsx',
  '/keys': undefined,
  '/brands': undefined,
  '/webhooks': undefined,
  '/sessions': undefined,
  '/account': undefined,
  '/billing': undefined,
  '/reports': undefined,
};

export function dashboardSettings(deployment: Deployment): DashboardSettings {
  const { origin, registration, gallery, billing, mail, siteIcons } = deployment;
  const { operatorContact, siteOwnerContact, minPasswordCharacters } = deployment;
  return {
    origin,
    registration,
    gallery,
    billing,
    mail,
    siteIcons,
    operatorContact,
    siteOwnerContact,
    minPasswordCharacters,
    maxVisitorSide: MAX_VISITOR_SIDE,
  };
}

export function dashboardPageRoutes(settings: DashboardSettings): Route[] {
  const headers = pageHeaders(DASHBOARD_POLICY);
  const pageRoute = ([path, lazyModule]: readonly [string, string | undefined]): Route => {
    const page = staticReply(dashboardPage(lazyModule, settings), headers);
    return route(`GET ${path}`, {
      auth: 'none',
      hidden: true,
      page: true,
      summary: 'Get a dashboard page',
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
