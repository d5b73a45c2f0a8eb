// The pages about using a logo, loaded as one file, because they share most of their parts.
export { default as Entry } from './catalog/entry.js';
export { default as Migration } from './migration/migration.js';
export { default as Strip } from './strip/strip.js';
