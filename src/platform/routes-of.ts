// Routes of all features, in one list for the router, the documents and the tests.
import type { Feature } from './feature.js';
import type { Route } from './http/route.js';
import type { Deployment } from './services.js';

/** Returns all routes, including the documents and pages of this deployment. */
export async function routesOf(features: readonly Feature[], deployment: Deployment): Promise<readonly Route[]> {
  let routes: readonly Route[] = [];
  const context = { deployment, features, routes: () => routes };
  const found = await Promise.all(features.map(async (feature) => (await feature.routes?.())?.(context) ?? []));
  routes = found.flat();
  return routes;
}
