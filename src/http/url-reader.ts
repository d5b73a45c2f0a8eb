// Reader of the parameters and fields of requests to one route; addresses that were parsed are cached.
import type { RouterContext } from '@koa/router';
import { z } from 'zod';
import { recentEntries } from '../domain/recent-entries.js';
import { publishableCredentialOf, type Credential } from '../services/metering.js';
import { bodyReader, hasBody } from './request/body.js';
import { parse, PUBLISHABLE_PARAMETER, publishableKeyIn, readPath, readQuery } from './request/validation.js';
import { allowMemoization } from './response/memoize.js';
import { isMetered, type MeteredRoute, type Route } from './route.js';

const NO_FIELDS = z.strictObject({});
/**
 * URLs whose parsed parameters are cached: clients request the same pictures again and again. Those requested once are
 * only counted: one client that requests everything once would take the place of all others.
 */
const MAX_CACHED_URLS = 4096;
/** Longer than those of Iconify's components, which ask for many icons at once in some 500 characters. */
const MAX_CACHED_URL_LENGTH = 640;

export type MeteredCall = Parameters<MeteredRoute['handle']>[0];
type Input = Omit<MeteredCall, 'credential'>;

interface UrlParameters extends Pick<MeteredCall, 'params' | 'query'> {
  /** Of the publishable key in the address. */
  readonly key?: Credential | undefined;
}

export type UrlReader = ReturnType<typeof createUrlReader>;

/** Reads parameters and fields of requests to one route. */
export function createUrlReader(route: Route) {
  const readBody = bodyReader(route);
  const cachedUrls = recentEntries<string, UrlParameters>(MAX_CACHED_URLS);
  const requestedOnce = recentEntries<string, true>(MAX_CACHED_URLS);

  function keep(url: string, parsed: UrlParameters): void {
    if (!requestedOnce.delete(url)) {
      requestedOnce.set(url, true);
      return;
    }
    cachedUrls.set(url, parsed);
    allowMemoization(parsed.params);
    allowMemoization(parsed.query);
  }

  function read(context: RouterContext, url: string): UrlParameters {
    const known = cachedUrls.get(url);
    if (known) return known;
    // Before the other parameters, as a credential in a header is.
    const key = publishableKeyOf(route, context, url);
    const parsed = { key, ...parseUrl(route, context, url) };
    if (url.length <= MAX_CACHED_URL_LENGTH) keep(url, parsed);
    return parsed;
  }

  async function readFields(context: RouterContext): Promise<Record<string, unknown>> {
    if (!route.body && !hasBody(context)) return {};
    return parse(route.body ?? NO_FIELDS, await readBody(context), 'field');
  }

  return {
    /** Whether `read` has a parsed URL at hand. */
    isKnown: (url: string): boolean => cachedUrls.has(url),
    read,
    readFields,
    /** With the body. */
    async readAll(context: RouterContext, url: string): Promise<Input> {
      const { params, query } = read(context, url);
      return { params, query, body: await readFields(context), url };
    },
  };
}

/** Whether a publishable key opens it. */
export function isForPages(route: Route): boolean {
  return isMetered(route) && route.publishable !== undefined;
}

/** Throws AppError `invalid_api_key` for one that is malformed. Undefined: there is none. */
function publishableKeyOf(route: Route, { params }: RouterContext, url: string): Credential | undefined {
  if (!isMetered(route) || route.publishable === undefined) return undefined;
  // A secret key in the address is a 400.
  const [field, raw] =
    route.publishable === 'path'
      ? (['publishableKey', readPath(params).publishableKey] as const)
      : ([PUBLISHABLE_PARAMETER, publishableKeyIn(searchOf(url))] as const);
  return raw === undefined ? undefined : publishableCredentialOf(raw, field);
}

/** A pure function of the URL, so it may be cached. */
function parseUrl(route: Route, context: RouterContext, url: string): UrlParameters {
  const schema = route.query ?? NO_FIELDS;
  return {
    params: parse(route.params ?? NO_FIELDS, readPath(context.params), 'parameter'),
    query: route.page ? {} : parse(schema, readFieldsOf(route, schema, searchOf(url)), 'parameter'),
  };
}

/** Without the publishable key, which is no parameter of the picture. */
function readFieldsOf(route: Route, schema: z.ZodObject, search: string): Record<string, unknown> {
  const fields = readQuery(search, Object.keys(schema.shape));
  if (isMetered(route) && route.publishable === 'query') delete fields.key;
  return fields;
}

/** Of an address, without the `?`. */
export function searchOf(url: string): string {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? '' : url.slice(queryStart + 1);
}
