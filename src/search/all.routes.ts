// All routes of search.
import { withPolicy, type Route } from '../platform/http/route.js';
import { searchRoute } from './search.routes.js';

export const routes = (): readonly Route[] => withPolicy({ tag: 'Search', cors: true }, [searchRoute]);
