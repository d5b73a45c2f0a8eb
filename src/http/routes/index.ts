// The one list of routes. The router, the documents and the tests are derived from it.
import type { Brands } from '../../services/brands.js';
import type { Catalog } from '../../services/catalog.js';
import type { Health } from '../../services/health.js';
import type { Images } from '../../services/images.js';
import type { Metering } from '../../services/metering.js';
import type { Registration } from '../../services/registration.js';
import type { Search } from '../../services/search.js';
import { openApiDocument } from '../openapi.js';
import type { Route } from '../route.js';
import { authRoutes } from './auth.js';
import { brandRoutes } from './brand.js';
import { catalogRoutes } from './catalog.js';
import { docsRoutes } from './docs.js';
import { imageRoutes } from './images.js';
import { linkPageRoutes } from './link-pages.js';
import { searchRoutes } from './search.js';
import { systemRoutes } from './system.js';
import { usageRoutes } from './usage.js';

export interface RouteServices {
  readonly registration: Registration;
  readonly metering: Metering;
  readonly catalog: Catalog;
  readonly images: Images;
  readonly search: Search;
  readonly brands: Brands;
  readonly health: Health;
  /** Changes with all that search and brand lookup answer from: part of their tags. */
  readonly edition: () => string;
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  readonly version: string;
}

export function allRoutes(services: RouteServices): Route[] {
  const described: Route[] = [
    ...authRoutes(services),
    ...linkPageRoutes(),
    ...imageRoutes(services),
    ...catalogRoutes(services),
    ...searchRoutes(services),
    ...brandRoutes(services),
    ...usageRoutes(services),
    ...systemRoutes(services),
  ];
  const docs = docsRoutes(() => openApiDocument({ routes: [...described, ...docs], version: services.version, publicUrl: services.origin }));
  return [...described, ...docs];
}
