// Reader of a route's parameters and body fields. Parsed URLs are cached.
import type { RouterContext } from '@koa/router';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { publishableCredentialOf, type Credential } from '../accounts/credential.js';
import { bodyReader, hasBody } from '../platform/http/request/body.js';
import {
  parse,
  PUBLISHABLE_PARAMETER,
  publishableKeyIn,
  readFirstOf,
  readPath,
  readQuery,
} from '../platform/http/request/validation.js';
import { allowMemoization } from '../platform/http/response/memoize.js';
import { isMetered, type MeteredRoute, type Route } from '../platform/http/route.js';

const NO_FIELDS = z.strictObject({});
/** Memory in bytes per cached URL, in addition to its text: the parameters and the memoized reply. */
const BYTES_PER_CACHED_URL = 4000;
const BYTES_PER_COUNTED_URL = 150;
/** Share of the memory for URLs that were requested only once. For these URLs, only a count is stored. */
const COUNTED_SHARE = 1 / 4;
/** Maximum length of a cached URL. Iconify's components request many icons at once, in URLs of about 500 characters. */
const MAX_CACHED_URL_LENGTH = 640;

export type MeteredCall = Parameters<MeteredRoute['handle']>[0];

interface UrlParameters extends Pick<MeteredCall, 'params' | 'query'> {
  readonly key?: Credential | undefined;
}

interface CachedUrl {
  readonly route: Route;
  readonly parameters: UrlParameters;
}

type AddressCache = ReturnType<typeof createAddressCache>;

/**
 * Caches the parsed parameters of URLs, for all routes, because clients request the same pictures repeatedly. Without
 * this cache and the replies memoized with it, GET /v1/svg/{slug} takes 2.3 times as much CPU time. A URL is cached at
 * its second request. Otherwise one client that requests every URL once would evict the URLs of all other clients.
 */
export function createAddressCache(maxBytes: number) {
  return {
    cached: new LRUCache<string, CachedUrl>({
      maxSize: Math.floor(maxBytes * (1 - COUNTED_SHARE)),
      sizeCalculation: (_, url) => url.length + BYTES_PER_CACHED_URL,
    }),
    requestedOnce: new LRUCache<string, true>({
      maxSize: Math.floor(maxBytes * COUNTED_SHARE),
      sizeCalculation: (_, url) => url.length + BYTES_PER_COUNTED_URL,
    }),
  };
}

export class UrlReader {
  readonly #route: Route;
  readonly #readBody: ReturnType<typeof bodyReader>;
  readonly #addresses: AddressCache;

  constructor(route: Route, addresses: AddressCache) {
    this.#route = route;
    this.#addresses = addresses;
    this.#readBody = bodyReader(route);
  }

  isKnown(url: string): boolean {
    return this.#addresses.cached.peek(url)?.route === this.#route;
  }

  read(context: RouterContext, url: string): UrlParameters {
    const known = this.#addresses.cached.get(url);
    // Another route with the same path and another method may have cached this URL, with other parameters.
    if (known?.route === this.#route) return known.parameters;
    // The publishable key in the URL is checked before all other parameters, like a key in a header.
    const key = publishableKeyOf(this.#route, context, url);
    const parsed = { key, ...parseUrl(this.#route, context, url) };
    if (url.length <= MAX_CACHED_URL_LENGTH) this.#cache(url, parsed);
    return parsed;
  }

  #cache(url: string, parsed: UrlParameters): void {
    const { cached, requestedOnce } = this.#addresses;
    if (!requestedOnce.delete(url)) {
      requestedOnce.set(url, true);
      return;
    }
    cached.set(url, { route: this.#route, parameters: parsed });
    allowMemoization(parsed.params);
    allowMemoization(parsed.query);
  }

  async readFields(context: RouterContext): Promise<Record<string, unknown>> {
    const { body } = this.#route;
    if (!body && !hasBody(context)) return {};
    return parse(body ?? NO_FIELDS, await this.#readBody(context), 'field');
  }
}

export function isForPages(route: Route): boolean {
  return isMetered(route) && route.publishable !== undefined;
}

export function isForeign(route: Route): boolean {
  return isMetered(route) && route.isForeign === true;
}

/**
 * Returns the publishable key in the URL, or undefined if there is none. Throws AppError `invalid_api_key` if the key
 * is malformed.
 */
function publishableKeyOf(route: Route, { params }: RouterContext, url: string): Credential | undefined {
  if (!isMetered(route) || route.publishable === undefined) return undefined;
  // A secret key cannot be in the URL any more, because `rejectKeyInQuery` has rejected it with status 400.
  const [field, raw] =
    route.publishable === 'path'
      ? (['publishableKey', readPath(params).publishableKey] as const)
      : ([PUBLISHABLE_PARAMETER, publishableKeyIn(searchOf(url))] as const);
  return raw === undefined ? undefined : publishableCredentialOf(raw, field);
}

/** Parses a URL. The result can be cached, because it depends only on the URL. */
function parseUrl(route: Route, context: RouterContext, url: string): UrlParameters {
  const schema = route.query ?? NO_FIELDS;
  return {
    params: parse(route.params ?? NO_FIELDS, readPath(context.params), 'parameter'),
    query: route.page ? {} : parse(schema, readFieldsOf(route, schema, searchOf(url)), 'parameter'),
  };
}

/** Returns the query fields except the publishable key, which is not a parameter of the picture. */
function readFieldsOf(route: Route, schema: z.ZodObject, search: string): Record<string, unknown> {
  const names = Object.keys(schema.shape);
  if (isForeign(route)) return readFirstOf(search, names);
  const fields = readQuery(search, names);
  if (isMetered(route) && route.publishable === 'query') delete fields.key;
  return fields;
}

export function searchOf(url: string): string {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? '' : url.slice(queryStart + 1);
}
