// All routes of Iconify's API.
import { withPolicy, type Route } from '../platform/http/route.js';
import { collectionRoutes } from './collections.routes.js';
import { iconRoutes } from './icons.routes.js';
import { iconSearchRoutes } from './search.routes.js';

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Iconify', cors: true }, [...iconRoutes, ...collectionRoutes, ...iconSearchRoutes]);
