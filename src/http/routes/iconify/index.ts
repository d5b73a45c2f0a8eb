// Routes of the Iconify protocol: what Iconify's components ask for, under a publishable key.
import { collectionRoutes } from './collections.js';
import { iconRoutes } from './icons.js';
import { searchRoutes } from './search.js';

export const iconifyRoutes = [...iconRoutes, ...collectionRoutes, ...searchRoutes];
