// All routes of the platform: documents, pages, and routes for operators.
import type { RouteContext } from './feature.js';
import { docsRoutes, documentRoute } from './http/docs.routes.js';
import { openApiDocument } from './http/openapi/document.js';
import { dashboardPageRoutes, dashboardSettings } from './http/pages/pages.routes.js';
import { withPolicy, type Route } from './http/route.js';
import { systemRoutes } from './http/system.routes.js';

export function routes({ deployment, routes: all }: RouteContext): readonly Route[] {
  const { version, origin, limits } = deployment;
  const settings = dashboardSettings(deployment);
  const document = documentRoute(() => openApiDocument({ routes: all(), version, publicUrl: origin, limits }));
  return [
    ...dashboardPageRoutes(settings),
    ...withPolicy({ tag: 'Operation' }, [...systemRoutes, document, ...docsRoutes(settings)]),
  ];
}
