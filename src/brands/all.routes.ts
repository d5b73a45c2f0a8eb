// All routes of brand lookup.
import { withPolicy, type Route } from '../platform/http/route.js';
import { brandRoute } from './brand.routes.js';

export const routes = (): readonly Route[] => withPolicy({ tag: 'Search', cors: true }, [brandRoute]);
