// Services that handlers get from this feature.
import type { Iconify } from './iconify.js';

declare module '../platform/services.js' {
  interface Services {
    readonly iconify: Iconify;
  }
}
