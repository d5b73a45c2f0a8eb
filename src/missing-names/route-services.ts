// Services that handlers get from this feature.
import type { MissingCounts } from './missing-counts.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly missing: Pick<MissingCounts, 'count'>;
  }
}
