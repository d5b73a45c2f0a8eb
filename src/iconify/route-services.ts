// Services that handlers get from this feature.
import type { Iconify } from './iconify.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly iconify: Iconify;
  }
}
