// Services that handlers get from this feature.
import type { Favicons } from './favicons.js';
import type { Pictures } from './pictures.js';
import type { Strips } from './strips.js';

declare module '../platform/http/route-services.js' {
  interface Deployment {
    /** `on`: visitors may browse the catalog. */
    readonly gallery: 'on' | 'off';
  }

  interface RouteServices {
    readonly pictures: Pictures;
    readonly strips: Strips;
    readonly favicons: Favicons;
  }
}
