// Services that handlers get from this feature.
import type { Search } from './search.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly search: Search;
  }
}
