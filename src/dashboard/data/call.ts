// Typed calls of the API. Paths, bodies and answers are from its OpenAPI document.
import { ApiError } from '../api/error.js';
import type { paths } from '../api/openapi.js';
import { accessToken } from '../api/session.js';
import { send, type SendOptions } from '../api/transport.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** Paths that support this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, infer Operation> ? (Operation extends object ? P : never) : never;
}[keyof paths];
type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;
type JsonContent<Holder> = Holder extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** The JSON of a successful answer. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? { [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 ? JsonContent<Responses[Status]> : never }[keyof Responses]
    : never;
type BodyOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer Body } ? JsonContent<NonNullable<Body>> : undefined;

type Query = Readonly<Record<string, string | number | undefined>>;

interface CallOptions<Body> {
  readonly body?: Body;
  /** Values of `{name}` in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends no credentials except cookies. Throws ApiError and UnreachableError. */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  options: CallOptions<BodyOf<M, P>> = {},
): Promise<Answer<M, P>> {
  return jsonOf<Answer<M, P>>(await send(...requestOf(method, path, options)));
}

/** Sends the access token. Renews it once when it is rejected. Throws the errors of `call`, and SignedOutError. */
export async function callSignedIn<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  options: CallOptions<BodyOf<M, P>> = {},
): Promise<Answer<M, P>> {
  return jsonOf<Answer<M, P>>(await sendSignedIn(...requestOf(method, path, options)));
}

/** Calls a path that only the dashboard uses. Its responses have the same type as responses of the API path `_like`. */
export async function callLike<P extends PathOf<'get'>>(
  _like: P,
  path: string,
  options: CallOptions<undefined> = {},
): Promise<Answer<'get', P>> {
  return jsonOf<Answer<'get', P>>(await send(...requestOf('get', path, options)));
}

export async function sendSignedIn(path: string, options: SendOptions = {}): Promise<Response> {
  const withToken = (token: string) =>
    send(path, { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } });
  const token = await accessToken();
  try {
    return await withToken(token);
  } catch (error) {
    if (!isTokenRejected(error)) throw error;
    return withToken(await accessToken(token));
  }
}

/**
 * Sends a POST request to a path that requires the session's cookie. Throws the errors of `call`, and SignedOutError.
 */
export async function sendByCookie(path: string, body: object): Promise<Response> {
  // Throws if there is no session.
  await accessToken();
  return send(path, { method: 'POST', body });
}

/** Usage routes accept a key or a token, so they answer `invalid_api_key` even if the request has an invalid token. */
function isTokenRejected(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invalid_token' || error.code === 'invalid_api_key');
}

async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

function requestOf(
  method: Method,
  path: string,
  { body, params = {}, query = {}, headers = {}, signal }: CallOptions<unknown>,
): [path: string, options: SendOptions] {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return [filled + queryText(query), { method: method.toUpperCase(), body, headers, signal }];
}

/** Returns `?a=1&b=2`, without undefined and empty values. */
export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
