// The client of this API for other programs (`import { Blazon } from 'blazon/client'`). It uses no Node.js modules, so
// it also runs in browsers and workers.
export { Blazon, rateLimitOf, type BlazonOptions, type RateLimit } from './blazon.js';
export { BlazonError, type ErrorCode } from './error.js';
export { logoUrl, pictureUrl, type LogoParameters, type PictureFormat, type PictureParameters } from './urls.js';
export { defineLogoElement, type LogoElementOptions } from './logo-element.js';
export type { components, paths } from './openapi.js';
