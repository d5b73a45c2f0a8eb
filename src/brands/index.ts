// Lookup of brands by domain and by name.
import type { Feature } from '../platform/feature.js';

export const brands: Feature = {
  name: 'brands',
  routes: async () => (await import('./all.routes.js')).routes,
  async serve() {
    const { createBrands } = await import('./brands.js');
    return ({ services: { index, turns } }) => ({ services: { brands: createBrands({ index, turns }) } });
  },
};
