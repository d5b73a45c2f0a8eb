// All routes for agents and developer tools.
import type { RouteContext } from '../platform/feature.js';
import { withPolicy, type Route } from '../platform/http/route.js';
import { llmsRoute } from './llms.routes.js';
import { mcpRoute } from './mcp.routes.js';
import { registryRoutes } from './registry.routes.js';

export const routes = (context: RouteContext): readonly Route[] => [
  ...withPolicy({ tag: 'Developers', cors: true }, [...registryRoutes, mcpRoute]),
  ...withPolicy({ tag: 'Operation' }, [llmsRoute(context)]),
];
