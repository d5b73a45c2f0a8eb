// All routes of own brands.
import { withPolicy, type Route } from '../platform/http/route.js';
import { brandRoutes } from './brands.routes.js';
import { drawingRoute } from './drawings.routes.js';

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Own brands', cors: true }, [...brandRoutes, drawingRoute]);
