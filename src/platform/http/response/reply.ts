// Replies of handlers, independent of the web framework.
import type { Slug } from '../../web/slug.js';
import { NotFoundError, type MissingName } from '../../not-found.js';
import { ERRORS, type AppError, type ErrorCode } from '../../errors.js';
import type { Codings } from './compression.js';
import type { WaitingClient } from '../../reader.js';
import { errorBody } from './error-body.js';

export type HeaderFields = Readonly<Record<string, string>>;

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /**
   * Groups of headers. They are written one after the other, because merging them into one object would take longer
   * than the rest of a reply.
   */
  readonly headers: readonly HeaderFields[];
  /**
   * Body. Text is not converted to bytes: text is sent in one write with the head, but bytes need a second write. Null:
   * the body is empty. Undefined: `chunks` is set, or the request is HEAD and the body was not made, so its length is
   * unknown.
   */
  readonly body: string | Uint8Array | null | undefined;
  /**
   * Chunks that `streamBody` sends instead of `body`. They are made during sending, because the whole text would take
   * too much memory.
   */
  readonly chunks?: AsyncIterable<string>;
  /** Slug of the returned entry, for the analytics. Present only for a counted response with status 200. */
  readonly slug?: Slug | undefined;
  /** Requested names that were not found. They are stored for the operator if the key is valid. */
  readonly missing?: readonly MissingName[] | undefined;
  /**
   * True for a response with status 200 that reports a failure. The request is then refunded, so it does not count
   * against the quota.
   */
  readonly isUncounted?: true;
  /** Account or client of the request. The compression queue alternates between callers. */
  readonly caller?: string;
  /**
   * Compressed copies of the body, from which the client may choose (`negotiated`). If absent, the body is sent
   * uncompressed.
   */
  readonly codings?: Codings | undefined;
}

/**
 * Response with an ETag that is known before the body is made. If the client already has this response, the service
 * sends a 304. Otherwise a metered request is counted, then the body is made.
 */
export interface ConditionalReply {
  readonly kind: 'prepared';
  /** Slug of the returned entry, for the analytics. */
  readonly slug?: Slug;
  /** Requested names that were not found. Ignored if the reply of `make` also has this field. */
  readonly missing?: readonly MissingName[];
  /** Strong ETag of the uncompressed body, with quotes. If absent, the service never sends a 304. */
  readonly etag?: string;
  /** Compressed copies of the body that `make` returns. */
  readonly codings?: Codings;
  readonly lastModified?: Date | undefined;
  /** Headers of both the response and its 304. They include `ETag` and `Last-Modified` (`etagHeaders`). */
  readonly headers: HeaderFields;
  /**
   * Headers that replace `headers` if the request has a publishable key. They allow shared caches to store the
   * response.
   */
  readonly publicHeaders?: HeaderFields;
  /**
   * Number of requests that are subtracted from the quota for this response: 0 to 100, by default 1. The burst limit
   * counts the request even if this number is 0.
   */
  readonly units?: number;
  /**
   * Makes the reply. The count of the request is undone if the reply has a status of 400 or above, or if `make` throws.
   * An AppError with `counts` does not undo the count.
   */
  readonly make: (client: WaitingClient) => Promise<Reply> | Reply;
  /** Returns the reply to HEAD, without making the body. If absent, HEAD requests call `make`. */
  readonly peek?: () => Promise<Reply> | Reply;
}

/** Headers of responses with personal data, and of all errors. */
export const NO_STORE: HeaderFields = { 'Cache-Control': 'no-store' };
/** Headers of responses that depend on the request header `Accept`. */
export const VARY_ACCEPT: HeaderFields = { Vary: 'Accept' };
/**
 * Headers of an SVG. If the SVG is opened as a document, they prevent it from running scripts and loading resources.
 */
export const SVG_POLICY = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};
/** Headers that allow pages of any origin to show the picture. */
export const PICTURE_POLICY = { 'Cross-Origin-Resource-Policy': 'cross-origin' };
/** Headers that a 401 adds, by error code (RFC 9110, section 11.6.1). */
export const CHALLENGES: Partial<Record<ErrorCode, HeaderFields>> = { invalid_token: { 'WWW-Authenticate': 'Bearer' } };
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export function json(status: number, value: unknown, ...head: HeaderFields[]): Reply {
  return { kind: 'reply', status, headers: [JSON_TYPE, ...head], body: JSON.stringify(value) };
}

/** Returns a reply with status 200. Its JSON text is made while it is sent. */
export function jsonChunks(chunks: AsyncIterable<string>, ...head: HeaderFields[]): Reply {
  return { kind: 'reply', status: 200, headers: [JSON_TYPE, ...head], body: undefined, chunks };
}

export function jsonText(text: string): Reply {
  return { kind: 'reply', status: 200, headers: [JSON_TYPE], body: text };
}

export function content(body: Reply['body'], head: HeaderFields): Reply {
  return { kind: 'reply', status: 200, headers: [head], body };
}

export function noContent(...head: HeaderFields[]): Reply {
  return { kind: 'reply', status: 204, headers: [NO_STORE, ...head], body: null };
}

/**
 * Returns a reply with status 308, which keeps the method of the request. Clients may cache it only for a short time,
 * because the requested path may later redirect to another location.
 */
export function permanentRedirect(location: string, lifetime = 'max-age=300'): Reply {
  return {
    kind: 'reply',
    status: 308,
    headers: [{ Location: location, 'Cache-Control': `private, ${lifetime}` }],
    body: null,
  };
}

export function errorReply(error: AppError, ...head: HeaderFields[]): Reply {
  const { status, code, retryAfterSeconds } = error;
  const retry = retryAfterSeconds === undefined ? [] : [{ 'Retry-After': String(retryAfterSeconds) }];
  const challenge = CHALLENGES[code];
  return {
    kind: 'reply',
    status,
    headers: [JSON_TYPE, NO_STORE, ...retry, ...(challenge ? [challenge] : []), ...head],
    body: errorBody(error),
    missing: error instanceof NotFoundError ? error.missing : undefined,
  };
}

/** Groups error codes by status, for the OpenAPI document. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return groups;
}
