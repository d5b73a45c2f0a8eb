// All routes of visitor counters.
import { withPolicy, type Route } from '../platform/http/route.js';
import { visitorCounterRoutes } from './visitor-counter.routes.js';

export const routes = (): readonly Route[] => withPolicy({ tag: 'Visitor counters', cors: true }, visitorCounterRoutes);
