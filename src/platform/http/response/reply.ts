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
  /** Groups of headers, written one after the other. Merging them into one object would cost more than the rest. */
  readonly headers: readonly HeaderFields[];
  /**
   * Text is sent in one write together with the head, bytes in a second one; so text is sent as text. Null is empty.
   * Undefined, only for HEAD, was not made, so its length is unknown.
   */
  readonly body: string | Uint8Array | null | undefined;
  /**
   * Chunks to send instead of `body`, which is then undefined. They are made while being sent (`streamBody`), because
   * the text is too long to hold.
   */
  readonly chunks?: AsyncIterable<string>;
  /** Entry of a counted 200, for analytics. */
  readonly slug?: Slug | undefined;
  /** Requested names that were not found. They are counted if the key is valid. */
  readonly missing?: readonly MissingName[] | undefined;
  /** Set for a 200 that reports a failure: the admission is refunded. */
  readonly isUncounted?: true;
  /** Account or client of the request. Callers take turns at being compressed. */
  readonly caller?: string;
  /** Content codings that the client may choose (`negotiated`). If undefined, the body is sent without a coding. */
  readonly codings?: Codings | undefined;
}

/**
 * A response with a tag that is known before the body is made. If the client has it, the response is a 304. Otherwise
 * the request is admitted if the route is metered, and the body is made.
 */
export interface ConditionalReply {
  readonly kind: 'prepared';
  /** Entry of the response, for analytics. */
  readonly slug?: Slug;
  /** Names that were not found, as in `Reply`. Names in the made reply take precedence. */
  readonly missing?: readonly MissingName[];
  /** Strong tag with quotes, of the body without a content coding. Without a tag, there is no 304. */
  readonly etag?: string;
  /** Content codings of the reply of `make`. */
  readonly codings?: Codings;
  readonly lastModified?: Date | undefined;
  /** Headers of the response, also sent with a 304; they include `ETag` and `Last-Modified` (`etagHeaders`). */
  readonly headers: HeaderFields;
  /** Headers instead of `headers` for a publishable key: shared caches may keep the response. */
  readonly publicHeaders?: HeaderFields;
  /** Units that the response counts, at most 100. 0 counts nothing, but takes one token of the burst. Default: 1. */
  readonly units?: number;
  /**
   * Makes the reply. May throw AppError; the admission is then refunded unless the error says that it counts. Errors
   * are therefore used for status 400 and above.
   */
  readonly make: (client: WaitingClient) => Promise<Reply> | Reply;
  /**
   * Returns the reply of `make` for HEAD, without a body that has not been made yet. Without `peek`, HEAD makes the
   * body.
   */
  readonly peek?: () => Promise<Reply> | Reply;
}

/** Header for personal data and for every error. */
export const NO_STORE: HeaderFields = { 'Cache-Control': 'no-store' };
/** The response depends on this request header. */
export const VARY_ACCEPT: HeaderFields = { Vary: 'Accept' };
/** An SVG opened as a document may not run scripts or load anything. */
export const SVG_POLICY = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};
/** Pages of any origin may show the picture. */
export const PICTURE_POLICY = { 'Cross-Origin-Resource-Policy': 'cross-origin' };
/** Challenges of 401 (RFC 9110, section 11.6.1). */
export const CHALLENGES: Partial<Record<ErrorCode, HeaderFields>> = { invalid_token: { 'WWW-Authenticate': 'Bearer' } };
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export function json(status: number, value: unknown, ...head: HeaderFields[]): Reply {
  return { kind: 'reply', status, headers: [JSON_TYPE, ...head], body: JSON.stringify(value) };
}

/** Returns a 200 with JSON that is made while it is sent. */
export function jsonChunks(chunks: AsyncIterable<string>, ...head: HeaderFields[]): Reply {
  return { kind: 'reply', status: 200, headers: [JSON_TYPE, ...head], body: undefined, chunks };
}

/** Returns a 200 with JSON text. */
export function jsonText(text: string): Reply {
  return { kind: 'reply', status: 200, headers: [JSON_TYPE], body: text };
}

export function content(body: Reply['body'], head: HeaderFields): Reply {
  return { kind: 'reply', status: 200, headers: [head], body };
}

/** Returns a 204. */
export function noContent(...head: HeaderFields[]): Reply {
  return { kind: 'reply', status: 204, headers: [NO_STORE, ...head], body: null };
}

/** Returns a 308, which keeps the method. Its lifetime is short, because a name may move again. */
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

/** Groups error codes by status, for the documents. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return groups;
}
