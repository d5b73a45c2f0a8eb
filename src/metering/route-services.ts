// Services that handlers get from this feature.
import type { Analytics } from './analytics.js';
import type { Metering } from './metering.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly metering: Metering;
    readonly analytics: Analytics;
  }
}
