// The pages of the dashboard, one document for all of them, and the files that it loads.
import { z } from 'zod';
import { dashboardFiles, dashboardPage } from '../../pages/dashboard-files.js';
import type { DashboardSettings } from '../../pages/dashboard-settings.js';
import { DASHBOARD_POLICY, pageHeaders } from '../../pages/page-files.js';
import { staticReply } from '../../response/static-reply.js';
import { publicRoute, type Route } from '../../route.js';
import { NOT_MODIFIED, pageFilesRoute } from '../pages/page-files.js';

/** The addresses of the pages; which one it is decides the script (src/dashboard/app.tsx). */
export const DASHBOARD_PAGES = [
  '/',
  '/register',
  '/sign-in',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/catalog',
  '/catalog/{slug}',
  '/overview',
  '/usage',
  '/keys',
  '/sessions',
  '/account',
  '/billing',
] as const;

export function dashboardPageRoutes(settings: DashboardSettings): Route[] {
  const headers = pageHeaders(DASHBOARD_POLICY, settings.origin);
  const page = staticReply(dashboardPage('index.html', settings), headers);
  const pageRoute = (path: string): Route =>
    publicRoute({
      method: 'GET',
      path,
      hidden: true,
      page: true,
      tag: 'Account',
      summary: 'A page of the dashboard',
      ...(path.includes('{slug}') && { params: z.strictObject({ slug: z.string() }) }),
      responses: { 200: { description: 'A page', media: 'text/html' }, 304: NOT_MODIFIED },
      errors: [],
      handle: () => page,
    });
  return [...DASHBOARD_PAGES.map(pageRoute), pageFilesRoute('/assets', 'Account', dashboardFiles())];
}
