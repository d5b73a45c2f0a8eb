// Routes as values. The router, the validation, the OpenAPI document and the common tests use one list of routes.
import type { z } from 'zod';
import type { Bucket } from './buckets.js';
import type { ErrorCode } from '../errors.js';
import type { BinaryBody } from './request/binary-body.js';
import type { AssertPrecondition } from './request/precondition.js';
import type { ConditionalReply, Reply } from './response/reply.js';
import type { Services } from '../services.js';

/**
 * Fields of a handler's call that identify the caller, by kind of credential. The feature `accounts` adds more kinds.
 */
export interface Callers {
  readonly none: object;
}
export type CallerKind = keyof Callers;

/** Parsed input of a handler, independent of the web framework. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Path and query of the request, unchanged. Handlers use them for redirects. */
  readonly url: string;
}

/**
 * Sender of a request. The feature `accounts` declares its fields by declaration merging.
 *
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- its fields are declared elsewhere
export interface Sender {}

/**
 * Fields of a call with a well-formed key. The features `accounts` and `catalog` add fields by declaration merging.
 *
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- its fields are declared elsewhere
export interface Keyed {}

export interface OpenCall<Params, Query, Body> extends Call<Params, Query, Body>, Sender {
  /** True for HEAD. The response to HEAD has no body, so the request need not be counted. */
  readonly isHead: boolean;
  readonly pageOrigin: string | undefined;
  /** True if a browser sends the request for a page that the user may never visit, such as a prefetch. */
  readonly isSpeculative: boolean;
  /** Format that `Accept` prefers among the route's formats. */
  readonly format: Format;
  /** Body of a route with `binary`. Empty for all other routes. */
  readonly bytes: Buffer;
  /** Checks If-Match and If-None-Match. Every handler with this function must call it. */
  readonly precondition: AssertPrecondition;
}

/**
 * Call with a well-formed key, which may be invalid. The key is verified after the handler has started, when the
 * request is counted.
 */
export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body>, Keyed {}

/** Call from a machine that signs its requests. The handler must check the signature. */
export interface SignedCall {
  /** Body as received. The handler checks the signature of these bytes. */
  readonly payload: Buffer;
  readonly signature: string;
}

/** Media types that clients can choose with `Accept`. */
export type Format = 'application/json' | 'text/csv';

export interface ResponseDoc {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type of the body; absent for JSON. */
  readonly media?: string;
  /** Further media types of the body. Each has an example; undefined for binary types. */
  readonly otherMedia?: Readonly<Record<string, string | undefined>>;
  /** Schemas of the response headers by name. `openapi/headers.ts` has schemas for the common headers. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly example?: unknown;
}

/** Request that this service sends. It is an entry of `webhooks` in the OpenAPI document. */
export interface SentRequestDoc {
  readonly name: string;
  readonly summary: string;
  readonly headers: z.ZodObject;
  readonly body: z.ZodType;
}

export interface ReplacedAddress {
  readonly service: string;
  /** Example URL of `service`, from its documentation. */
  readonly address: string;
}

type Shape = z.ZodObject;
type Answer = Reply | ConditionalReply | Promise<Reply | ConditionalReply>;

/** Fields that apply to every route in a list (`withPolicy`). */
interface RoutePolicy {
  /** Tag: chapter of the OpenAPI document. Routes with `hidden` need no tag. */
  readonly tag?: string;
  /** True if pages of any origin may send the request and read the response (CORS). */
  readonly cors?: true;
  /**
   * True if only a few of these requests may start in one tick of the event loop, so that requests of other routes can
   * run between them.
   */
  readonly throttled?: true;
  /** Maximum size of the body in bytes, default 64 KB. A larger body is rejected with 413. */
  readonly maxBodyBytes?: number;
}

interface RouteFields<Params extends Shape, Query extends Shape, Body extends Shape> extends RoutePolicy {
  /** True if the route is omitted from the OpenAPI document, because it is not part of the API. */
  readonly hidden?: true;
  /**
   * True for a page that people open. Unknown query parameters are ignored, because tracking services add parameters to
   * links.
   */
  readonly page?: true;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Schema of the body's fields. If the schema has no fields, requests may omit the body. */
  readonly body?: Body;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Requests that this service sends to addresses that clients register with this route. */
  readonly sends?: readonly SentRequestDoc[];
  /**
   * True if the query may have a parameter `token`: the token of a mailed link. This token is valid only for the
   * purpose of its link.
   */
  readonly takesToken?: true;
  /** True if a body of any media type is accepted and ignored. */
  readonly ignoresBody?: true;
  /** Error codes of this route, in addition to the codes that all routes with the same credential have. */
  readonly errors?: readonly ErrorCode[];
}

/**
 * Fields of a route that is not metered. `handle` is declared as a method, so that routes with different input types
 * fit into one list.
 */
interface OpenFields<A extends CallerKind, P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<
  P,
  Q,
  B
> {
  readonly auth: A;
  /**
   * Error code for an invalid access token, by default `invalid_token`. Usage routes use `invalid_api_key` for an
   * invalid key and for an invalid token.
   */
  readonly wrongToken?: 'invalid_api_key';
  /**
   * Response formats. The first format is the default. If the field is absent, the response is JSON, regardless of
   * `Accept`.
   */
  readonly formats?: readonly [Format, ...Format[]];
  readonly binary?: BinaryBody;
  handle(call: OpenCall<z.output<P>, z.output<Q>, z.output<B>> & Callers[A], services: Services): Answer;
}

interface SignedFields extends RouteFields<Shape, Shape, Shape> {
  readonly auth: 'signature';
  readonly signatureHeader: string;
  /** Called before the body is read. Throws an AppError if the service cannot accept the request now. */
  assertOpen(services: Services): void;
  handle(call: SignedCall, services: Services): Answer;
}

interface MeteredFields<P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<P, Q, B> {
  readonly auth: 'key';
  /** Bucket that counts the request, or a function that chooses the bucket by the parsed parameters. */
  readonly bucket: Bucket | ((query: z.output<Q>, params: z.output<P>, body: z.output<B>) => Bucket);
  /**
   * Number of burst tokens that a request costs. It is higher for requests that cause more work. A `HEAD` request costs
   * as much as a `GET` request. A failed request costs as much as a successful one.
   */
  readonly cost: number | ((call: Pick<Call<z.output<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>) => number);
  /**
   * Where pages send a publishable key. `query`: in the parameter `?key=`, or in `X-API-Key` like an API key. `path`:
   * in the path parameter `publishableKey`; no other credential is accepted. Absent: pages cannot use the route.
   */
  readonly publishable?: 'query' | 'path';
  /** True if the key may be sent as `Authorization: Bearer`, for programs that support only this header. */
  readonly isBearerKey?: true;
  /**
   * True if the URL has the format of another service. Unknown parameters, repeated parameters, and the other service's
   * credential are then ignored.
   */
  readonly isForeign?: true;
  /** Example URL of another service. Users of that service can replace this URL by a URL of this route. */
  readonly replaces?: ReplacedAddress;
  /**
   * Request header that contains a protocol version, and its allowed values. Other values are rejected. The header is
   * optional.
   */
  readonly versionHeader?: { readonly name: string; readonly allowed: readonly string[] };
  /** Request headers that clients of a protocol send, but this route ignores. CORS allows pages to send them. */
  readonly ignoredHeaders?: readonly string[];
  /**
   * Builds data that all responses of the route need. Called for each request, before the time limit starts. Returns
   * undefined if the data is already built.
   */
  build?(services: Services): Promise<unknown> | undefined;
  /**
   * Handles a call. If the handler returns a plain Reply (for example, a redirect) and not a ConditionalReply, the
   * request is not counted.
   */
  handle(call: KeyedCall<z.output<P>, z.output<Q>, z.output<B>>, services: Services): Answer;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Address {
  readonly method: Method;
  /** Path, such as `/v1/svg/{slug}`. `{+path}` is a parameter that may contain slashes (RFC 6570, section 3.2.3). */
  readonly path: string;
}

export type OpenRoute = Address & OpenFields<CallerKind, Shape, Shape, Shape>;
export type SignedRoute = Address & SignedFields;
export type MeteredRoute = Address & MeteredFields<Shape, Shape, Shape>;
export type Route = OpenRoute | SignedRoute | MeteredRoute;

/** Method and path, such as `GET /v1/svg/{slug}`. */
type RouteName = `${Method} ${string}`;

/**
 * Defines a route. `auth`: kind of credential, which decides who may call the route and which fields about the caller
 * the handler gets.
 */
export function route<A extends CallerKind, P extends Shape, Q extends Shape, B extends Shape>(
  name: RouteName,
  fields: OpenFields<A, P, Q, B>,
): Route;
export function route<P extends Shape, Q extends Shape, B extends Shape>(
  name: RouteName,
  fields: MeteredFields<P, Q, B>,
): Route;
export function route(name: RouteName, fields: SignedFields): Route;
export function route(
  name: RouteName,
  fields: OpenFields<CallerKind, Shape, Shape, Shape> | SignedFields | MeteredFields<Shape, Shape, Shape>,
): Route {
  const [method, path] = name.split(' ');
  return { method, path, ...fields } as Route;
}

export function withPolicy(policy: RoutePolicy, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, ...policy }));
}

export function isMetered(route: Route): route is MeteredRoute {
  return route.auth === 'key';
}

export function bucketOf(
  { bucket }: Pick<MeteredRoute, 'bucket'>,
  { query, params, body }: Pick<Parameters<MeteredRoute['handle']>[0], 'query' | 'params' | 'body'>,
): Bucket {
  return typeof bucket === 'function' ? bucket(query, params, body) : bucket;
}

export function costOf({ cost }: Pick<MeteredRoute, 'cost'>, call: Parameters<MeteredRoute['handle']>[0]): number {
  return typeof cost === 'function' ? cost(call) : cost;
}
