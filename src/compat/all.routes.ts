// All routes that imitate URLs of other services.
import { withPolicy, type Route } from '../platform/http/route.js';
import { compatRoutes } from './compat.routes.js';

export const routes = (): readonly Route[] => withPolicy({ tag: 'Drop-in addresses', cors: true }, compatRoutes);
