// Services that handlers get from this feature.
import type { OwnBrands } from './own-brands.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly ownBrands: OwnBrands;
  }
}
