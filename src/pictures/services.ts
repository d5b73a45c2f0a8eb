// Services that handlers get from this feature.
import type { Favicons } from './favicons.js';
import type { Pictures } from './pictures.js';
import type { SiteIcons } from './site-icons.js';
import type { Strips } from './strips.js';

declare module '../platform/services.js' {
  interface Deployment {
    /** `on` if visitors without an account may browse the catalog, otherwise `off`. */
    readonly gallery: 'on' | 'off';
  }

  interface Services {
    readonly pictures: Pictures;
    readonly strips: Strips;
    readonly favicons: Favicons;
    /** Undefined if icons of websites are turned off. */
    readonly siteIcons?: SiteIcons;
  }
}
