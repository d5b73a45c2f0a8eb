// The table of services whose addresses are answered, each with its routes. The first that fits is taken.
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
