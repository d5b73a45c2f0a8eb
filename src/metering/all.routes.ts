// All routes of metering.
import { withPolicy, type Route } from '../platform/http/route.js';
import { analyticsRoutes } from './analytics.routes.js';
import { usageRoute } from './usage.routes.js';

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Usage', cors: true }, [
    usageRoute,
    // These routes are throttled, because a report of one year takes 1 to 2 ms of CPU time.
    ...withPolicy({ throttled: true }, analyticsRoutes),
  ]);
