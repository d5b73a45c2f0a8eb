// Routes that imitate the URLs of other services. If several routes match, the first one is used.
import type { Route } from '../platform/http/route.js';
import { brandfetchRoutes } from './brandfetch.routes.js';
import { clearbitRoutes } from './clearbit.routes.js';
import { duckduckgoRoute } from './duckduckgo.routes.js';
import { faviconRoutes } from './favicons.routes.js';
import { logodevRoutes } from './logodev.routes.js';
import { simpleiconsRoutes } from './simpleicons.routes.js';
import { skilliconsRoute } from './skillicons.routes.js';

export const compatRoutes: readonly Route[] = [
  ...clearbitRoutes,
  ...logodevRoutes,
  ...brandfetchRoutes,
  ...faviconRoutes,
  duckduckgoRoute,
  ...simpleiconsRoutes,
  skilliconsRoute,
];
