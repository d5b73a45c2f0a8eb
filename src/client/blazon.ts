// The client for all routes, with types from the OpenAPI document. It repeats requests if this is safe, and throws
// errors with codes.
import createClient, { type Client } from 'openapi-fetch';
import { asJson, BodyRequest, nameMedia, serialized } from './bodies.js';
import { BlazonError } from './error.js';
import type { components, paths } from './openapi.js';
import { withoutEndSlashes } from './urls.js';

type SearchQuery = paths['/v1/search']['get']['parameters']['query'];

interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

export interface BlazonOptions {
  /** URL of the service, such as https://icons.example.com. */
  readonly url: string;
  /** API key. It is sent as `X-API-Key`. */
  readonly key?: string | undefined;
  /** Access token for the routes of an account. */
  readonly token?: string | undefined;
  /** Number of retries of a request. Default: 2. */
  readonly retries?: number | undefined;
  /**
   * Maximum `Retry-After` in seconds. The client does not retry a request if the service sends a longer time. Default:
   * 30.
   */
  readonly maxWaitSeconds?: number | undefined;
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** State of the daily quota of a bucket. */
export interface RateLimit {
  readonly bucket: string;
  /** Requests per day. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Returns the quota that the response states, or undefined if the request was not counted. */
export function rateLimitOf({ headers }: Response): RateLimit | undefined {
  const [, bucket, remaining, reset] = /^"(\w+)-day";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  const [, limit] = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  return bucket === undefined
    ? undefined
    : { bucket, limit: Number(limit), remaining: Number(remaining), resetSeconds: Number(reset) };
}

export class Blazon {
  /** All routes: `blazon.api.GET('/v1/catalog/{slug}', { params: { path: { slug: 'github' } }, signal })`. */
  readonly api: Client<paths>;

  constructor(options: BlazonOptions) {
    const { url, key, token } = options;
    this.api = createClient<paths>({
      baseUrl: withoutEndSlashes(url),
      headers: {
        ...(key !== undefined && { 'X-API-Key': key }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      bodySerializer: serialized,
      Request: BodyRequest,
      fetch: (request) => fetchWithRetries(request, options),
    });
    this.api.use({
      onRequest({ schemaPath, request }) {
        nameMedia(request, schemaPath);
        // Routes with the key in the path accept no other credential.
        if (!schemaPath.includes('{publishableKey}')) return;
        for (const name of ['X-API-Key', 'Authorization']) request.headers.delete(name);
      },
      onResponse: ({ request, response, options: { parseAs } }) =>
        parseAs === 'json' && request.method !== 'HEAD' ? asJson(response) : undefined,
    });
  }

  /** Returns the data of a call of `api`, or undefined for a response without content. Rejects with BlazonError. */
  async data<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
    const { data, error, response } = await call;
    if (response.ok) return data as Data;
    const { error: code, message, details } = (error ?? {}) as Partial<components['schemas']['Error']>;
    throw new BlazonError(code ?? 'unknown', message ?? `The response status is ${response.status}.`, {
      response,
      details,
    });
  }

  /** Yields all results, page by page. Rejects with BlazonError. */
  async *search(query: SearchQuery, { signal }: Stop = {}) {
    const pages = pagesFrom(query?.cursor, (at) =>
      this.data(this.api.GET('/v1/search', { params: { query: { ...query, ...at } }, ...(signal && { signal }) })),
    );
    for await (const { results } of pages) yield* results;
  }

  /** Yields all own brands, page by page. Rejects with BlazonError. */
  async *brands({ signal }: Stop = {}) {
    const pages = pagesFrom(undefined, (at) =>
      this.data(this.api.GET('/v1/brands', { params: { query: { limit: 100, ...at } }, ...(signal && { signal }) })),
    );
    for await (const { brands } of pages) yield* brands;
  }
}

interface Stop {
  readonly signal?: AbortSignal;
}

async function* pagesFrom<Page extends { readonly nextCursor: string | null }>(
  cursor: string | undefined,
  read: (at: { readonly cursor?: string }) => Promise<Page>,
) {
  let next = cursor;
  do {
    const page = await read(next === undefined ? {} : { cursor: next });
    yield page;
    next = page.nextCursor ?? undefined;
  } while (next !== undefined);
}

const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Returns the seconds to wait before a retry, or undefined if the request must not be retried. After status 429, the
 * request had no effect, so any method may be retried. After status 503, the request may have had an effect, so only
 * idempotent methods are retried.
 */
function waitOf({ status, headers }: Response, method: string, maxWaitSeconds: number): number | undefined {
  const isSafe = status === 429 || (status === 503 && IDEMPOTENT.has(method));
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return isSafe && seconds <= maxWaitSeconds ? seconds : undefined;
}

async function fetchWithRetries(
  request: Request,
  { fetch: send = (sent) => fetch(sent), retries = 2, maxWaitSeconds = 30 }: BlazonOptions,
): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await send(request.clone()).catch((error: unknown) => {
      if (request.signal.aborted) throw error;
      throw unreachable(request, error);
    });
    const seconds = tries < retries ? waitOf(response, request.method, maxWaitSeconds) : undefined;
    if (seconds === undefined) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000, request.signal);
  }
}

/**
 * Creates the error for a failed `fetch`. Uses the message of the cause, because the error itself only says `fetch
 * failed`.
 */
function unreachable({ url }: Request, error: unknown): BlazonError {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return new BlazonError('network', `${new URL(url).origin} cannot be reached (${reason}).`, { cause: error });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
