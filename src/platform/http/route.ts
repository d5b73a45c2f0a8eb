// Routes as values: one list gives the router, the validation, the OpenAPI document and the common tests.
import type { z } from 'zod';
import type { Bucket } from './buckets.js';
import type { ErrorCode } from '../errors.js';
import type { BinaryBody } from './request/binary-body.js';
import type { AssertPrecondition } from './request/precondition.js';
import type { ConditionalReply, Reply } from './response/reply.js';
import type { Services } from '../services.js';

/** The part of a handler's call that tells the caller, by kind of credential. Accounts declare the others. */
export interface Callers {
  readonly none: object;
}
export type CallerKind = keyof Callers;

/** Parsed and typed input of a handler, nothing of the web framework. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The path and query as they came, for redirects. */
  readonly url: string;
}

/**
 * Who sent a request. Accounts declare its fields by declaration merging.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its fields are declared elsewhere
export interface Sender {}

/**
 * What a handler gets for a well-formed key. Accounts and the catalog declare its fields by declaration merging.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its fields are declared elsewhere
export interface Keyed {}

export interface OpenCall<Params, Query, Body> extends Call<Params, Query, Body>, Sender {
  /** HEAD: the answer has no body, so the request need not be counted. */
  readonly isHead: boolean;
  /** The header `Origin`. */
  readonly pageOrigin: string | undefined;
  /** A browser asks ahead of a visit, which may never come. */
  readonly isSpeculative: boolean;
  /** The one of the route's `formats` that `Accept` prefers. */
  readonly format: Format;
  /** The body of a route that takes `binary`; empty for others. */
  readonly bytes: Buffer;
  /** If-Match and If-None-Match, where the handler asks. */
  readonly precondition: AssertPrecondition;
}

/** A call that carried a well-formed key; whether the key is right is decided at admission. */
export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body>, Keyed {}

/** A call of a machine that signs what it sends; the handler checks the signature. */
export interface SignedCall {
  /** The body as it came. */
  readonly payload: Buffer;
  readonly signature: string;
}

/** Media types between which a client can choose. */
export type Format = 'application/json' | 'text/csv';

export interface ResponseDoc {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type, when it is not JSON. */
  readonly media?: string;
  /** Examples of further media types, by name; undefined where they are bytes. */
  readonly otherMedia?: Readonly<Record<string, string | undefined>>;
  /** Schemas by name; those of `src/platform/http/openapi/headers.ts`, where there is one. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly example?: unknown;
}

export interface ReplacedAddress {
  /** Name of the service. */
  readonly service: string;
  /** An example of its addresses, as its documentation has it. */
  readonly address: string;
}

type Shape = z.ZodObject;
type Answer = Reply | ConditionalReply | Promise<Reply | ConditionalReply>;

/** Set for whole lists of routes (`withPolicy`). */
interface RoutePolicy {
  /** Chapter of the document; hidden routes need none. */
  readonly tag?: string;
  /** Pages of any origin may send it and read the answer (CORS). */
  readonly cors?: true;
  /** Only a few of these begin in one tick of the event loop, so that others are answered between them. */
  readonly throttled?: true;
  /** Longest body; 413 beyond. Default: 64 KB. */
  readonly maxBodyBytes?: number;
}

interface RouteFields<Params extends Shape, Query extends Shape, Body extends Shape> extends RoutePolicy {
  /** Not a part of the API: left out of the document. */
  readonly hidden?: true;
  /** For people, who follow links to which trackers have added something: its query is ignored. */
  readonly page?: true;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** One without fields may be left out of the request. */
  readonly body?: Body;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Codes beside those of every route of its kind. */
  readonly errors?: readonly ErrorCode[];
}

/** Each route's handler is declared as a method: a list of routes need not know what each of them parses. */
interface OpenFields<A extends CallerKind, P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<
  P,
  Q,
  B
> {
  readonly auth: A;
  /** Code for a wrong access token. Default: `invalid_token`; the readings of usage have one code for any credential. */
  readonly wrongToken?: 'invalid_api_key';
  /** The first is that of a request without `Accept`. Default: JSON, whatever it accepts. */
  readonly formats?: readonly [Format, ...Format[]];
  /** In the place of fields. */
  readonly binary?: BinaryBody;
  handle(call: OpenCall<z.output<P>, z.output<Q>, z.output<B>> & Callers[A], services: Services): Answer;
}

interface SignedFields extends RouteFields<Shape, Shape, Shape> {
  readonly auth: 'signature';
  /** Name of the header. */
  readonly signatureHeader: string;
  /** Throws an AppError before the request is read when no message can be accepted. */
  assertOpen(services: Services): void;
  handle(call: SignedCall, services: Services): Answer;
}

interface MeteredFields<P extends Shape, Q extends Shape, B extends Shape> extends RouteFields<P, Q, B> {
  readonly auth: 'key';
  /** A function where it depends on the parsed parameters. */
  readonly bucket: Bucket | ((query: z.output<Q>, params: z.output<P>, body: z.output<B>) => Bucket);
  /** Tokens of the burst that a request takes, by its work; `HEAD` and errors take them, too. */
  readonly cost: number | ((call: Pick<Call<z.output<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>) => number);
  /**
   * Pages may use it: with a publishable key as `?key=`, beside `X-API-Key` with either kind of key; or with one as the
   * path's parameter `publishableKey`, and no other credential.
   */
  readonly publishable?: 'query' | 'path';
  /** The key may come as `Authorization: Bearer`, too, as programs send it that know no other header. */
  readonly isBearerKey?: true;
  /**
   * The address is of another service's grammar: parameters that are unknown or repeated are ignored, and so is that
   * service's credential.
   */
  readonly isForeign?: true;
  /** An address of another service that a route of its grammar answers in that service's place. */
  readonly replaces?: ReplacedAddress;
  /** Header in which clients name the version of a protocol: other values are rejected. They may leave it out. */
  readonly versionHeader?: { readonly name: string; readonly allowed: readonly string[] };
  /** Headers that clients of a protocol send and this route does not read. Pages of other origins may send them, too. */
  readonly ignoredHeaders?: readonly string[];
  /** Builds what all its answers are made from, for the first request: the time limit begins after it. Undefined: it is built. */
  build?(services: Services): Promise<unknown> | undefined;
  /** A Reply (a redirect) is not counted. */
  handle(call: KeyedCall<z.output<P>, z.output<Q>, z.output<B>>, services: Services): Answer;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Address {
  readonly method: Method;
  /** `/v1/svg/{slug}`; a parameter with slashes in it is `{+path}` (RFC 6570, section 3.2.3). */
  readonly path: string;
}

export type OpenRoute = Address & OpenFields<CallerKind, Shape, Shape, Shape>;
export type SignedRoute = Address & SignedFields;
export type MeteredRoute = Address & MeteredFields<Shape, Shape, Shape>;
export type Route = OpenRoute | SignedRoute | MeteredRoute;

/** `GET /v1/svg/{slug}` */
type RouteName = `${Method} ${string}`;

/** `auth` is the kind of credential: it says who may call, and what the handler gets to know of the caller. */
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

/** The same routes, all with this policy. */
export function withPolicy(policy: RoutePolicy, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, ...policy }));
}

export function isMetered(route: Route): route is MeteredRoute {
  return route.auth === 'key';
}

/** The bucket in which a request with these parsed parameters counts. */
export function bucketOf(
  { bucket }: Pick<MeteredRoute, 'bucket'>,
  { query, params, body }: Pick<Parameters<MeteredRoute['handle']>[0], 'query' | 'params' | 'body'>,
): Bucket {
  return typeof bucket === 'function' ? bucket(query, params, body) : bucket;
}

export function costOf({ cost }: Pick<MeteredRoute, 'cost'>, call: Parameters<MeteredRoute['handle']>[0]): number {
  return typeof cost === 'function' ? cost(call) : cost;
}
