// All routes of alerts and webhooks.
import { withPolicy, type Route } from '../platform/http/route.js';
import { alertRoutes } from './alerts.routes.js';
import { webhookRoutes } from './webhooks.routes.js';

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Webhooks', throttled: true }, [...alertRoutes, ...webhookRoutes]);
