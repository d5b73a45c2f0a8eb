// The client of this API, for other programs (`import { Blazon } from 'blazon/client'`): no module of Node, so that it runs
// in browsers and workers, too.
export { Blazon, BlazonError, rateLimitOf, type BlazonOptions, type ErrorCode, type RateLimit } from './blazon.js';
export { logoUrl, pictureUrl, type LogoParameters, type PictureFormat, type PictureParameters } from './urls.js';
export { defineLogoElement, type LogoElementOptions } from './logo-element.js';
export type { components, paths } from './openapi.js';
