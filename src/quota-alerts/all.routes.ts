// All routes of quota alerts.
import { withPolicy, type Route } from '../platform/http/route.js';
import { alertRoutes } from './alerts.routes.js';
import { unsubscribeRoutes } from './unsubscribe.routes.js';

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Webhooks', throttled: true }, [...alertRoutes, ...unsubscribeRoutes]);
