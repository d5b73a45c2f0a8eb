// Stores of this feature, and services that handlers get from it.
import type { OwnBrands } from './own-brands.js';
import type { OwnBrandTexts } from './own-brand-texts.js';

declare module '../platform/services.js' {
  interface Services {
    readonly ownBrands: OwnBrands;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly ownBrandTexts: OwnBrandTexts;
  }
}
