// Services that handlers get from this feature.
import type { VisitorCounting } from './visitor-counting.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly counting: VisitorCounting;
  }
}
