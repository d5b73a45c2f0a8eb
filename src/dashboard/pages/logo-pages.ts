// The pages about using a logo, as one file to load: each shares most of its parts with the others.
export { default as Entry } from './catalog/entry.js';
export { default as Moving } from './moving/moving.js';
export { default as Strip } from './strip/strip.js';
