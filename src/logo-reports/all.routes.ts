// All routes of logo reports.
import { withPolicy, type Route } from '../platform/http/route.js';
import { operatorRoutes, reportRoute } from './logo-reports.routes.js';

export const routes = (): readonly Route[] => [
  ...withPolicy({ tag: 'Catalog', cors: true }, [reportRoute]),
  ...operatorRoutes,
];
