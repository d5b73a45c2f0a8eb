// Routes as values: the router, the validation, the OpenAPI document and the common tests derive from one list.
import type { z } from 'zod';
import type { Bucket } from './buckets.js';
import type { ErrorCode } from '../errors.js';
import type { BinaryBody } from './request/binary-body.js';
import type { AssertPrecondition } from './request/precondition.js';
import type { ConditionalReply, Reply } from './response/reply.js';
import type { Services } from '../services.js';

/** The part of a handler's call that identifies the caller, by kind of credential. Accounts declare the other kinds. */
export interface Callers {
  readonly none: object;
}
export type CallerKind = keyof Callers;

/** Parsed and typed input of a handler, independent of the web framework. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Path and query as received, for redirects. */
  readonly url: string;
}

/**
 * Sender of a request. Accounts declare its fields by declaration merging.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its fields are declared elsewhere
export interface Sender {}

/**
 * Input of a handler for a well-formed key. Accounts and the catalog declare its fields by declaration merging.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its fields are declared elsewhere
export interface Keyed {}

export interface OpenCall<Params, Query, Body> extends Call<Params, Query, Body>, Sender {
  /** True for HEAD: the response has no body, so the request need not be counted. */
  readonly isHead: boolean;
  /** Value of the header `Origin`. */
  readonly pageOrigin: string | undefined;
  /** True if a browser requests this before a visit that may never happen. */
  readonly isSpeculative: boolean;
  /** The route's format that `Accept` prefers. */
  readonly format: Format;
  /** Body of a route with `binary`; empty for others. */
  readonly bytes: Buffer;
  /** Checks If-Match and If-None-Match when the handler calls it. */
  readonly precondition: AssertPrecondition;
}

/** A call with a well-formed key. Admission decides whether the key is valid. */
export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body>, Keyed {}

/** A call of a machine that signs its requests. The handler checks the signature. */
export interface SignedCall {
  /** Body as received. */
  readonly payload: Buffer;
  readonly signature: string;
}

/** Media types that a client can choose from. */
export type Format = 'application/json' | 'text/csv';

export interface ResponseDoc {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type, if it is not JSON. */
  readonly media?: string;
  /** Examples of further media types by name; undefined for binary types. */
  readonly otherMedia?: Readonly<Record<string, string | undefined>>;
  /** Header schemas by name, from `src/platform/http/openapi/headers.ts` if it has one. */
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
  /** Name of the other service. */
  readonly service: string;
  /** Example of its addresses, from its documentation. */
  readonly address: string;
}

type Shape = z.ZodObject;
type Answer = Reply | ConditionalReply | Promise<Reply | ConditionalReply>;

/** Policy of whole lists of routes (`withPolicy`). */
interface RoutePolicy {
  /** Chapter of the document; hidden routes need none. */
  readonly tag?: string;
  /** True if pages of any origin may send the request and read the response (CORS). */
  readonly cors?: true;
  /**
   * True if only a few of these requests may start in one tick of the event loop, so that others are handled between
   * them.
   */
  readonly throttled?: true;
  /** Maximum bytes of the body; 413 beyond. Default: 64 KB. */
  readonly maxBodyBytes?: number;
}

interface RouteFields<Params extends Shape, Query extends Shape, Body extends Shape> extends RoutePolicy {
  /** True if the route is not part of the API and omitted from the document. */
  readonly hidden?: true;
  /** True for a page for people. Its query is ignored, because trackers add parameters to links. */
  readonly page?: true;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Schema of the body. If it has no fields, the body may be omitted. */
  readonly body?: Body;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Requests that this service sends to the addresses that this route takes. */
  readonly sends?: readonly SentRequestDoc[];
  /** True if the query may have a `token`: of a link in a mail, and of no use for anything else. */
  readonly takesToken?: true;
  /** True if a body of any media type is accepted and ignored. */
  readonly ignoresBody?: true;
  /** Error codes in addition to the codes of every route of this kind. */
  readonly errors?: readonly ErrorCode[];
}

/**
 * Fields of an open route. Handlers are declared as methods, so that a list of routes need not know what each route
 * parses.
 */
interface OpenFields<A extends CallerKind, P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<
  P,
  Q,
  B
> {
  readonly auth: A;
  /** Error code for a wrong access token. Default: `invalid_token`. Usage routes have one code for any credential. */
  readonly wrongToken?: 'invalid_api_key';
  /** Response formats. The first one is sent without `Accept`. Default: JSON, regardless of `Accept`. */
  readonly formats?: readonly [Format, ...Format[]];
  /** Binary body instead of fields. */
  readonly binary?: BinaryBody;
  handle(call: OpenCall<z.output<P>, z.output<Q>, z.output<B>> & Callers[A], services: Services): Answer;
}

interface SignedFields extends RouteFields<Shape, Shape, Shape> {
  readonly auth: 'signature';
  /** Name of the signature header. */
  readonly signatureHeader: string;
  /** Throws an AppError before the request is read, if no message can be accepted. */
  assertOpen(services: Services): void;
  handle(call: SignedCall, services: Services): Answer;
}

interface MeteredFields<P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<P, Q, B> {
  readonly auth: 'key';
  /** Bucket; a function if it depends on the parsed parameters. */
  readonly bucket: Bucket | ((query: z.output<Q>, params: z.output<P>, body: z.output<B>) => Bucket);
  /** Tokens that a request takes from the burst, by its amount of work. `HEAD` and errors take them, too. */
  readonly cost: number | ((call: Pick<Call<z.output<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>) => number);
  /**
   * How pages may use the route. `query`: with a publishable key as `?key=`, or with either kind of key in `X-API-Key`.
   * `path`: with a publishable key in the path parameter `publishableKey`, and no other credential.
   */
  readonly publishable?: 'query' | 'path';
  /** True if the key may be sent as `Authorization: Bearer`, for programs that only support this header. */
  readonly isBearerKey?: true;
  /**
   * True if the address follows another service's grammar. Unknown and repeated parameters are ignored, and so is that
   * service's credential.
   */
  readonly isForeign?: true;
  /** Address of another service that this route replaces. */
  readonly replaces?: ReplacedAddress;
  /** Header with which clients name a protocol version. Other values are rejected; the header may be missing. */
  readonly versionHeader?: { readonly name: string; readonly allowed: readonly string[] };
  /** Headers that a protocol's clients send and this route does not read. Pages of other origins may send them, too. */
  readonly ignoredHeaders?: readonly string[];
  /**
   * Builds the data for all responses at the first request; the time limit starts after it. Returns undefined if it is
   * built.
   */
  build?(services: Services): Promise<unknown> | undefined;
  /** Handles a call. A direct Reply (a redirect) is not counted. */
  handle(call: KeyedCall<z.output<P>, z.output<Q>, z.output<B>>, services: Services): Answer;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Address {
  readonly method: Method;
  /** Path such as `/v1/svg/{slug}`. A parameter that may contain slashes is `{+path}` (RFC 6570, section 3.2.3). */
  readonly path: string;
}

export type OpenRoute = Address & OpenFields<CallerKind, Shape, Shape, Shape>;
export type SignedRoute = Address & SignedFields;
export type MeteredRoute = Address & MeteredFields<Shape, Shape, Shape>;
export type Route = OpenRoute | SignedRoute | MeteredRoute;

/** Method and path, for example `GET /v1/svg/{slug}`. */
type RouteName = `${Method} ${string}`;

/**
 * Defines a route. `auth` is the kind of credential: it decides who may call, and what the handler learns about the
 * caller.
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

/** Returns the same routes with this policy. */
export function withPolicy(policy: RoutePolicy, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, ...policy }));
}

export function isMetered(route: Route): route is MeteredRoute {
  return route.auth === 'key';
}

/** Returns the bucket in which a request with these parsed parameters counts. */
export function bucketOf(
  { bucket }: Pick<MeteredRoute, 'bucket'>,
  { query, params, body }: Pick<Parameters<MeteredRoute['handle']>[0], 'query' | 'params' | 'body'>,
): Bucket {
  return typeof bucket === 'function' ? bucket(query, params, body) : bucket;
}

export function costOf({ cost }: Pick<MeteredRoute, 'cost'>, call: Parameters<MeteredRoute['handle']>[0]): number {
  return typeof cost === 'function' ? cost(call) : cost;
}
