// Services that handlers get from this feature.
import type { Brands } from './brands.js';

declare module '../platform/services.js' {
  interface Services {
    readonly brands: Brands;
  }
}
