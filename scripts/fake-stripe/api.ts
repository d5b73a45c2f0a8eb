// The API without its connections: credentials, idempotency keys, routes, errors.
import { ApiError } from './api-error.js';
import type { ApiRoute } from './api-route.js';
import { checkoutRoutes } from './checkout-routes.js';
import { customerRoutes } from './customer-routes.js';
import { expanded } from './lists.js';
import { assertKnown, parseParameters, type Parameters } from './parameters.js';
import { NO_CAUSE, type State } from './state.js';
import { subscriptionRoutes } from './subscription-routes.js';

const ROUTES: readonly ApiRoute[] = [...customerRoutes, ...checkoutRoutes, ...subscriptionRoutes];
const KEY_LIFETIME_MS = 24 * 3_600_000;

export interface ApiRequest {
  readonly id: string;
  readonly method: string;
  /** With the query. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | null;
  readonly body: string;
}

export interface ApiReply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Found {
  readonly route: ApiRoute;
  readonly id: string;
}

interface Kept {
  readonly path: string;
  readonly fingerprint: string;
  readonly requestId: string;
  readonly reply: ApiReply;
  readonly atMs: number;
}

/** `path`: without the query. */
export function findRoute(method: string, path: string): Found | undefined {
  for (const route of ROUTES) {
    const pattern = new RegExp(`^${route.path.replace('{id}', '([^/]+)')}$`);
    const match = route.method === method ? pattern.exec(path) : null;
    if (match) return { route, id: match[1] ?? '' };
  }
  return undefined;
}

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';
const queryOf = (target: string): string => target.slice(pathOf(target).length + 1);
export const parametersOf = ({ target, body }: Pick<ApiRequest, 'target' | 'body'>): Parameters =>
  parseParameters(queryOf(target), body);

export function errorReply({ status, fields }: ApiError): ApiReply {
  return { status, body: JSON.stringify({ error: fields }, undefined, 2), headers: {} };
}

export interface Api {
  answer(request: ApiRequest): ApiReply;
}

/** Throws 401. */
function authenticate(authorization: string | undefined, secretKey: string): void {
  if (authorization === `Bearer ${secretKey}`) return;
  const [, key] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  const message =
    key === undefined
      ? 'You did not provide an API key. You need to provide your API key in the Authorization header.'
      : `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`;
  throw new ApiError(401, { type: 'invalid_request_error', message });
}

function run(state: State, request: ApiRequest): ApiReply {
  const { method, target, id: requestId, idempotencyKey } = request;
  const found = findRoute(method, pathOf(target));
  if (!found) {
    const message = `Unrecognized request URL (${method}: ${pathOf(target)}).`;
    throw new ApiError(404, { type: 'invalid_request_error', message });
  }
  const parameters = parametersOf(request);
  assertKnown(parameters, found.route.known);
  state.cause = { id: requestId, idempotency_key: idempotencyKey };
  try {
    const object = found.route.run(state, { id: found.id, parameters });
    return { status: 200, body: JSON.stringify(expanded(state, object, parameters), undefined, 2), headers: {} };
  } finally {
    state.cause = NO_CAUSE;
  }
}

const fingerprintOf = (request: ApiRequest): string =>
  JSON.stringify([...parametersOf(request)].sort(([one], [other]) => (one < other ? -1 : 1)));

/** The first answer again; 400 for another request. */
function repeat({ path, fingerprint, requestId, reply }: Kept, key: string, request: ApiRequest): ApiReply {
  if (path !== pathOf(request.target) || fingerprint !== fingerprintOf(request)) {
    const same = path === pathOf(request.target) ? 'with the same parameters' : `for the same endpoint ('${path}')`;
    const message =
      `Keys for idempotent requests can only be used ${same} they were first used with. Try using a key other than ` +
      `'${key}' if you meant to execute a different request.`;
    throw new ApiError(400, { type: 'idempotency_error', message });
  }
  return {
    ...reply,
    headers: { ...reply.headers, 'Idempotent-Replayed': 'true', 'Original-Request': requestId },
  };
}

export function createApi(state: State, secretKey: string): Api {
  /** By the idempotency key, oldest first. */
  const kept = new Map<string, Kept>();

  /** Errors are not kept: all of them are found before anything is changed. */
  function runOnce(key: string, request: ApiRequest): ApiReply {
    const nowMs = state.nowMs();
    for (const [old, { atMs }] of kept) {
      if (atMs + KEY_LIFETIME_MS > nowMs) break;
      kept.delete(old);
    }
    const first = kept.get(key);
    if (first) return repeat(first, key, request);
    const reply = run(state, request);
    const path = pathOf(request.target);
    kept.set(key, { path, fingerprint: fingerprintOf(request), requestId: request.id, reply, atMs: nowMs });
    return reply;
  }

  return {
    answer(request) {
      const { method, idempotencyKey: key } = request;
      try {
        authenticate(request.authorization, secretKey);
        if (key === null) return run(state, request);
        const reply = method === 'POST' ? runOnce(key, request) : run(state, request);
        return { ...reply, headers: { ...reply.headers, 'Idempotency-Key': key } };
      } catch (error) {
        if (error instanceof ApiError) return errorReply(error);
        throw error;
      }
    },
  };
}
