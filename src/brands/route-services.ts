// Services that handlers get from this feature.
import type { Brands } from './brands.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly brands: Brands;
  }
}
