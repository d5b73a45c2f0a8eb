// Sends one request to the service, and turns failures into error classes. This module doesn't depend on sessions.
import { ApiError, UnreachableError, type ErrorBody } from './error.js';

const TIMEOUT_MS = 20_000;

export interface SendOptions {
  readonly method?: string;
  /** Value that is sent as JSON. */
  readonly body?: unknown;
  /** Body that is sent in place of JSON. Its type becomes the content type. */
  readonly content?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Throws ApiError and UnreachableError. Throws AbortError when `signal` is aborted. */
export async function send(
  path: string,
  { method = 'GET', body, content, headers, signal }: SendOptions = {},
): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(content && { body: content }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UnreachableError('The service could not be reached.', { cause: error });
  }
  if (response.ok) return response;
  throw await errorOf(response);
}

async function errorOf(response: Response): Promise<Error> {
  // A proxy in front of the service answers with its own pages, which are not JSON. The service then counts as
  // unreachable.
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  if (body?.error === undefined || body.message === undefined)
    return new UnreachableError(`answered ${response.status}`);
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(response.status, body as ErrorBody, Number.isNaN(retryAfter) ? undefined : retryAfter);
}
