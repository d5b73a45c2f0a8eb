// All routes of pictures.
import { withPolicy, type Route } from '../platform/http/route.js';
import { faviconRoute } from './favicon.routes.js';
import { galleryRoutes } from './gallery.routes.js';
import { logoRoute } from './logo.routes.js';
import { pictureRoutes } from './pictures.routes.js';
import { stripRoute } from './strip.routes.js';

export const routes = (): readonly Route[] => [
  ...withPolicy({ tag: 'Pictures', cors: true }, [...pictureRoutes, logoRoute, stripRoute, faviconRoute]),
  ...galleryRoutes,
];
