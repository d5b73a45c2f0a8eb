// Routes as values: one list gives the router, the validation, the OpenAPI document and the common tests.
import type { z } from 'zod';
import type { Bucket } from '../domain/metering/plan.js';
import type { ErrorCode } from '../errors.js';
import type { Client } from '../services/accounts/client-info.js';
import type { Credential } from '../services/metering.js';
import type { Caller } from '../services/accounts/sessions.js';
import type { Requester } from './auth/authentication.js';
import type { ConditionalReply, Reply } from './response/reply.js';

/** What a handler gets: parsed, typed, nothing of the web framework. */
interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The path and query as they came, for redirects. */
  readonly url: string;
}

/** A call that needs no key. */
export interface PublicCall<Params, Query, Body> extends Call<Params, Query, Body> {
  readonly client: Client;
}

/** A call of a public route. */
export interface OpenCall<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  /** HEAD: nobody will see what GET would give, so that it may not count. */
  readonly isHead: boolean;
  /** The header `Origin`. */
  readonly pageOrigin: string | undefined;
}

/** A call with a live session. */
export interface SignedInCall<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  readonly caller: Caller;
}

/** A call that ends a session: undefined when the cookie's has ended already. */
export interface SignOutCall<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  readonly caller: Caller | undefined;
}

/** A call of a page of this service: undefined when nobody is signed in. */
export interface VisitorCall<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  readonly caller: Caller | undefined;
}

/** A call of an account: by its key, which the handler checks, or with a live session. */
export interface AccountCall<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  readonly requester: Requester;
  /** What `Accept` prefers of the route's `formats`. */
  readonly format: Format;
}

/** A call of a machine that signs what it sends; the handler checks the signature. */
export interface SignedCall {
  /** The body as it came. */
  readonly payload: Buffer;
  readonly signature: string | undefined;
}
/** Media types between which a client can choose. */
export type Format = 'application/json' | 'text/csv';

/** A call that carried a well-formed key; whether the key is right is decided at admission. */
export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body> {
  readonly credential: Credential;
}

export interface ResponseDoc {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type, when it is not JSON. */
  readonly media?: string;
  /** Examples of further media types, by name; undefined where they are bytes. */
  readonly otherMedia?: Readonly<Record<string, string | undefined>>;
  /** Schemas by name; those of `src/http/openapi/headers.ts`, where there is one. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly example?: unknown;
}

type Shape = z.ZodObject;

/** What holds for a request before its handler is called. */
interface RoutePolicy {
  /** Pages of any origin may send it and read the answer (CORS). */
  readonly cors?: true;
  /** Only a few of these begin in one tick of the event loop, so that others are answered between them. */
  readonly throttled?: true;
  /** Longest body; 413 beyond. Default: 64 KB. */
  readonly maxBodyBytes?: number;
}

interface RouteText<Params extends Shape, Query extends Shape, Body extends Shape> extends RoutePolicy {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/svg/{slug}` */
  readonly path: string;
  readonly tag: string;
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
  /** Beyond those every route of its kind can give. */
  readonly errors: readonly ErrorCode[];
}

export interface PublicRoute<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> extends RouteText<P, Q, B> {
  readonly auth: 'none';
  readonly handle: (
    call: OpenCall<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Reply | ConditionalReply> | Reply | ConditionalReply;
}

export interface SignedInRoute<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> extends RouteText<P, Q, B> {
  readonly auth: 'bearer' | 'cookie';
  readonly handle: (call: SignedInCall<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply> | Reply;
}

export interface SignOutRoute<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> extends RouteText<P, Q, B> {
  readonly auth: 'bearer-or-cookie';
  readonly handle: (call: SignOutCall<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply> | Reply;
}

export interface AccountRoute<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> extends RouteText<P, Q, B> {
  /** `own-key`: an API key only; nothing is counted. */
  readonly auth: 'key-or-bearer' | 'own-key';
  /** Code for a wrong access token. Default: `invalid_token`; the readings of usage have one code for any credential. */
  readonly wrongToken?: 'invalid_api_key';
  /** The first is that of a request without `Accept`. Default: JSON, whatever it accepts. */
  readonly formats?: readonly [Format, ...Format[]];
  readonly handle: (call: AccountCall<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply> | Reply;
}

export interface VisitorRoute<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> extends RouteText<P, Q, B> {
  readonly auth: 'visitor';
  readonly handle: (
    call: VisitorCall<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Reply | ConditionalReply> | Reply | ConditionalReply;
}

export interface SignedRoute extends RouteText<Shape, Shape, Shape> {
  readonly auth: 'signature';
  /** Name of the header, in lower case. */
  readonly signatureHeader: string;
  /** Throws an AppError before the request is read when no message can be accepted. */
  readonly assertOpen: () => void;
  readonly handle: (call: SignedCall) => Promise<Reply> | Reply;
}

export interface MeteredRoute<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> extends RouteText<P, Q, B> {
  readonly auth: 'key';
  /** A function where it depends on the parsed query. */
  readonly bucket: Bucket | ((query: z.output<Q>) => Bucket);
  /** Tokens of the burst that a request takes, by its work; `HEAD` and errors take them, too. */
  readonly cost: number | ((call: Pick<KeyedCall<z.output<P>, z.output<Q>, z.output<B>>, 'query' | 'body'>) => number);
  /**
   * Pages may use it: with a publishable key as `?key=`, beside `X-API-Key` with either kind of key; or with one as the
   * path's parameter `publishableKey`, and no other credential.
   */
  readonly publishable?: 'query' | 'path';
  /** Builds what all its answers are made from, for the first request: the time limit begins after it. Undefined: it is built. */
  readonly build?: () => Promise<unknown> | undefined;
  /** A Reply (a redirect) is not counted. */
  readonly handle: (
    call: KeyedCall<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Reply | ConditionalReply> | Reply | ConditionalReply;
}

/**
 * A route as the router, the documents and the tests take it; the handler's argument is typed where the route is
 * written.
 */
export type Route =
  PublicRoute | VisitorRoute | SignedInRoute | SignOutRoute | AccountRoute | SignedRoute | MeteredRoute;

export function publicRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<PublicRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'none' });
}

export function bearerRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<SignedInRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'bearer' });
}

export function cookieRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<SignedInRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'cookie' });
}

export function signOutRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<SignOutRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'bearer-or-cookie' });
}

export function accountRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<AccountRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'key-or-bearer' });
}

/** For pages of this service, whether or not somebody is signed in. */
export function visitorRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<VisitorRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'visitor' });
}

/** With an API key only, and not counted. */
export function keyRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<AccountRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'own-key' });
}

export function signedRoute(route: Omit<SignedRoute, 'auth'>): Route {
  return { ...route, auth: 'signature' };
}

export function meteredRoute<P extends Shape, Q extends Shape, B extends Shape>(
  route: Omit<MeteredRoute<P, Q, B>, 'auth'>,
): Route {
  return erase({ ...route, auth: 'key' });
}

/** The same routes, all with this policy. */
export function withPolicy(policy: RoutePolicy, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, ...policy }));
}

export function isMetered(route: Route): route is MeteredRoute {
  return 'bucket' in route;
}

/** In which a request with this parsed query counts. */
export function bucketOf({ bucket }: Pick<MeteredRoute, 'bucket'>, query: Record<string, unknown>): Bucket {
  return typeof bucket === 'function' ? bucket(query) : bucket;
}

export function costOf({ cost }: Pick<MeteredRoute, 'cost'>, call: Parameters<MeteredRoute['handle']>[0]): number {
  return typeof cost === 'function' ? cost(call) : cost;
}

/**
 * The one place that forgets a route's own types: `serveRoute` parses with the route's schemas before it calls
 * `handle`.
 */
function erase<P extends Shape, Q extends Shape, B extends Shape>(
  route:
    | PublicRoute<P, Q, B>
    | VisitorRoute<P, Q, B>
    | SignedInRoute<P, Q, B>
    | SignOutRoute<P, Q, B>
    | AccountRoute<P, Q, B>
    | MeteredRoute<P, Q, B>,
): Route {
  return route;
}
