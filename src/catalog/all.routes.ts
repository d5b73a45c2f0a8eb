// All routes of the catalog.
import { withPolicy, type Route } from '../platform/http/route.js';
import { catalogRoutes } from './catalog.routes.js';
import { licensesRoute } from './licenses.routes.js';

export const routes = (): readonly Route[] => [
  ...withPolicy({ tag: 'Catalog', cors: true }, catalogRoutes),
  ...withPolicy({ tag: 'Operation' }, [licensesRoute()]),
];
