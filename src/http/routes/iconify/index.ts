// Routes of the Iconify protocol: what Iconify's components ask for, under a publishable key.
import type { Route } from '../../route.js';
import type { IconifyOptions } from './answer.js';
import { collectionRoutes } from './collections.js';
import { iconRoutes } from './icons.js';
import { searchRoutes } from './search.js';

export function iconifyRoutes(options: IconifyOptions): Route[] {
  const routes = [...iconRoutes(options), ...collectionRoutes(options), ...searchRoutes(options)];
  return routes.map((route) => ({ ...route, build: () => options.iconify.build() }));
}
