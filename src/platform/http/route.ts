// Routes as values. The router, the validation, the OpenAPI document and the common tests use one list of routes.
import type { z } from 'zod';
import type { Bucket } from './buckets.js';
import type { ErrorCode } from '../errors.js';
import type { BinaryBody } from './request/binary-body.js';
import type { AssertPrecondition } from './request/precondition.js';
import type { ConditionalReply, Reply } from './response/reply.js';
import type { Services } from '../services.js';

/**
 * Fields of a handler's call that identify the caller, by kind of credential. The feature accounts declares the other
 * kinds.
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
  /** Path and query as received. Handlers use it for redirects. */
  readonly url: string;
}

/**
 * Sender of a request. The feature accounts declares its fields by declaration merging.
 *
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its fields are declared elsewhere
export interface Sender {}

/**
 * Fields of a call with a well-formed key. The features accounts and catalog declare them by declaration merging.
 *
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its fields are declared elsewhere
export interface Keyed {}

export interface OpenCall<Params, Query, Body> extends Call<Params, Query, Body>, Sender {
  /** True for HEAD. The response has no body, so the request need not be counted. */
  readonly isHead: boolean;
  readonly pageOrigin: string | undefined;
  /** True if a browser requests this for a visit that may never happen, such as a prefetch. */
  readonly isSpeculative: boolean;
  /** Format that `Accept` prefers, out of the route's formats. */
  readonly format: Format;
  /** Body of a route with `binary`. Empty for all other routes. */
  readonly bytes: Buffer;
  /** Checks If-Match and If-None-Match. The handler must call it. */
  readonly precondition: AssertPrecondition;
}

/** Call with a well-formed key. Only the admission checks whether the key is valid. */
export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body>, Keyed {}

/** Call from a machine that signs its requests. The handler checks the signature. */
export interface SignedCall {
  /** Body as received, for the check of the signature. */
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
  /** Further media types, each with an example; undefined for binary types. */
  readonly otherMedia?: Readonly<Record<string, string | undefined>>;
  /** Schemas of the response headers by name. `openapi/headers.ts` has schemas for the common headers. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly example?: unknown;
}

/** A request that this service sends: an entry of `webhooks` in the document. */
export interface SentRequestDoc {
  /** Name of the event. */
  readonly name: string;
  readonly summary: string;
  readonly headers: z.ZodObject;
  readonly body: z.ZodType;
}

export interface ReplacedAddress {
  readonly service: string;
  /** Example URL of the other service, from its documentation. */
  readonly address: string;
}

type Shape = z.ZodObject;
type Answer = Reply | ConditionalReply | Promise<Reply | ConditionalReply>;

/** Policy for a whole list of routes (`withPolicy`). */
interface RoutePolicy {
  /** Tag, a chapter of the OpenAPI document. Hidden routes need none. */
  readonly tag?: string;
  /** True if pages of any origin may send the request and read the response (CORS). */
  readonly cors?: true;
  /**
   * True if only a few of these requests may start in one tick of the event loop, so that other requests are handled in
   * between.
   */
  readonly throttled?: true;
  /** Maximum size of the body in bytes, default 64 KB. A larger body is rejected with 413. */
  readonly maxBodyBytes?: number;
}

interface RouteFields<Params extends Shape, Query extends Shape, Body extends Shape> extends RoutePolicy {
  /** True if the route is omitted from the OpenAPI document, because it is not part of the API. */
  readonly hidden?: true;
  /** True for a page for people. Unknown query parameters are ignored, because trackers add some to links. */
  readonly page?: true;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Schema of the body's fields. If it has no fields, the body may be missing. */
  readonly body?: Body;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Requests that this service sends to addresses that clients register with this route. */
  readonly sends?: readonly SentRequestDoc[];
  /**
   * True if the query may have a parameter `token`. It is the token of a link in a mail, and valid for nothing else.
   */
  readonly takesToken?: true;
  /** True if a body of any media type is accepted and ignored. */
  readonly ignoresBody?: true;
  /** Error codes besides the codes that all routes of this kind have. */
  readonly errors?: readonly ErrorCode[];
}

/**
 * Fields of an open route. `handle` is declared as a method, so that routes with different input types fit into one
 * list.
 */
interface OpenFields<A extends CallerKind, P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<
  P,
  Q,
  B
> {
  readonly auth: A;
  /**
   * Error code for an invalid access token, default `invalid_token`. Usage routes have the same code for all
   * credentials.
   */
  readonly wrongToken?: 'invalid_api_key';
  /** Response formats. The first one is the default. If absent, the response is JSON, regardless of `Accept`. */
  readonly formats?: readonly [Format, ...Format[]];
  readonly binary?: BinaryBody;
  handle(call: OpenCall<z.output<P>, z.output<Q>, z.output<B>> & Callers[A], services: Services): Answer;
}

interface SignedFields extends RouteFields<Shape, Shape, Shape> {
  readonly auth: 'signature';
  readonly signatureHeader: string;
  /** Called before the body is read. Throws an AppError if no message can be accepted now. */
  assertOpen(services: Services): void;
  handle(call: SignedCall, services: Services): Answer;
}

interface MeteredFields<P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<P, Q, B> {
  readonly auth: 'key';
  /** Bucket of the request, or a function that chooses it by the parsed parameters. */
  readonly bucket: Bucket | ((query: z.output<Q>, params: z.output<P>, body: z.output<B>) => Bucket);
  /** Tokens that a request takes from the burst, according to its work. `HEAD` and errors take them, too. */
  readonly cost: number | ((call: Pick<Call<z.output<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>) => number);
  /**
   * Use of the route in web pages. `query`: the publishable key is in `?key=`, or in `X-API-Key` like an API key.
   * `path`: the publishable key is the path parameter `publishableKey`, and no other credential is accepted.
   */
  readonly publishable?: 'query' | 'path';
  /** True if the key may be sent as `Authorization: Bearer`, for programs that support only this header. */
  readonly isBearerKey?: true;
  /**
   * True if the URL follows the grammar of another service. Unknown and repeated parameters, and the credential of that
   * service, are ignored.
   */
  readonly isForeign?: true;
  /** Example URL of another service that this route replaces. */
  readonly replaces?: ReplacedAddress;
  /**
   * Header in which clients name a protocol version, and its allowed values. Other values are rejected. The header may
   * be missing.
   */
  readonly versionHeader?: { readonly name: string; readonly allowed: readonly string[] };
  /** Headers that clients of a protocol send and this route ignores. CORS allows pages to send them. */
  readonly ignoredHeaders?: readonly string[];
  /**
   * Builds data that all responses of the route need, at the first request. Runs before the time limit starts. Returns
   * undefined if the data is already built.
   */
  build?(services: Services): Promise<unknown> | undefined;
  /** Handles a call. A direct Reply, such as a redirect, is not counted. */
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
 * Defines a route. `auth` is the kind of credential. It decides who may call the route, and which fields about the
 * caller the handler gets.
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
