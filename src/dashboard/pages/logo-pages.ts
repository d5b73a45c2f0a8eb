// The pages about using a logo, loaded as one file, because they share most of their parts.
export { default as Entry } from './catalog/entry.js';
export { default as Moving } from './moving/moving.js';
export { default as Strip } from './strip/strip.js';
