// All routes of webhooks.
import { withPolicy, type Route } from '../platform/http/route.js';
import { deliveryRoutes } from './deliveries.routes.js';
import { endpointRoutes } from './endpoints.routes.js';

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Webhooks', throttled: true }, [...endpointRoutes, ...deliveryRoutes]);
