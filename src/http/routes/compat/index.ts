// The table of services whose addresses are answered, each with its routes. The first that fits is taken.
import type { Route } from '../../route.js';
import { brandfetchRoutes } from './brandfetch.js';
import { clearbitRoutes } from './clearbit.js';
import { duckduckgoRoute } from './duckduckgo.js';
import { faviconRoutes } from './favicons.js';
import { logodevRoutes } from './logodev.js';
import { simpleiconsRoutes } from './simpleicons.js';
import { skilliconsRoute } from './skillicons.js';

export const compatRoutes: readonly Route[] = [
  ...clearbitRoutes,
  ...logodevRoutes,
  ...brandfetchRoutes,
  ...faviconRoutes,
  duckduckgoRoute,
  ...simpleiconsRoutes,
  skilliconsRoute,
];
