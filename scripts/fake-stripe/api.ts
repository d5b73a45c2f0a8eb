// The API without its connections: credentials, idempotency keys, routes, errors.
import { ApiError } from './errors.js';
import { assertKnown, parseParameters } from './parameters.js';
import { ROUTES, type ApiRoute } from './routes.js';
import type { State } from './state.js';

const MAX_KEPT = 10_000;

export interface ApiRequest {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

export interface ApiReply {
  readonly status: number;
  readonly body: string;
}

export interface Api {
  answer(request: ApiRequest): ApiReply;
}

/** `path`: without the query. */
export function findRoute(method: string, path: string): { readonly route: ApiRoute; readonly id: string } | undefined {
  for (const route of ROUTES) {
    const match = route.method === method && new RegExp(`^${route.path.replace('{id}', '([^/]+)')}$`).exec(path);
    if (match) return { route, id: match[1] ?? '' };
  }
  return undefined;
}

export function errorReply({ status, fields }: ApiError): ApiReply {
  return { status, body: JSON.stringify({ error: fields }) };
}

function run(state: State, { method, target, body }: ApiRequest): ApiReply {
  const [path = '', query = ''] = target.split('?', 2);
  const found = findRoute(method, path);
  if (!found) {
    const message = `Unrecognized request URL (${method}: ${path}).`;
    throw new ApiError(404, { type: 'invalid_request_error', message });
  }
  const parameters = parseParameters(query, body);
  assertKnown(parameters, found.route.known);
  return { status: 200, body: JSON.stringify(found.route.run(state, parameters, found.id)) };
}

export function createApi(state: State, secretKey: string): Api {
  /** Answers by idempotency key. */
  const kept = new Map<string, { readonly request: string; readonly reply: ApiReply }>();

  /** Errors are not kept: all of them are found before anything is changed. */
  function runOnce(key: string, request: ApiRequest): ApiReply {
    const text = `${request.target} ${request.body}`;
    const first = kept.get(key);
    if (first && first.request !== text) {
      const message = `Keys for idempotent requests can only be used with the parameters of their first request: ${key}`;
      throw new ApiError(400, { type: 'idempotency_error', message });
    }
    const reply = first?.reply ?? run(state, request);
    kept.set(key, { request: text, reply });
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return reply;
  }

  return {
    answer(request) {
      const { method, authorization, idempotencyKey: key } = request;
      try {
        if (authorization !== `Bearer ${secretKey}`)
          throw new ApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
        return key === undefined || method !== 'POST' ? run(state, request) : runOnce(key, request);
      } catch (error) {
        if (error instanceof ApiError) return errorReply(error);
        throw error;
      }
    },
  };
}
