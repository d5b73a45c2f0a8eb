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
   * Groups of header fields, written one after the other: merging them into one object would cost more than the rest.
   */
  readonly headers: readonly HeaderFields[];
  /**
   * Text goes out in one write together with the head, bytes in a second; so text is sent as text. Null is empty;
   * undefined, only in answer to HEAD, was not made, so that its length is not known.
   */
  readonly body: string | Uint8Array | null | undefined;
  /** In place of `body`, which is undefined: text too long to be held, made while it is sent (`streamBody`). */
  readonly chunks?: AsyncIterable<string>;
  /** The entry that a counted 200 answers, for analytics. */
  readonly slug?: Slug | undefined;
  /** Names that were asked for and not found; counted where the key is right. */
  readonly missing?: readonly MissingName[] | undefined;
  /** A 200 that says that something failed: what was admitted is given back. */
  readonly isUncounted?: true;
  /** Account or client that asked: callers take turns at being compressed. */
  readonly caller?: string;
  /** Content codings that the client may choose (`negotiated`); undefined: the body is sent as it is. */
  readonly codings?: Codings | undefined;
}

/**
 * An answer that is known by its tag before it is made: what matches is 304, what does not is admitted where it is
 * metered, then made.
 */
export interface ConditionalReply {
  readonly kind: 'prepared';
  /** The entry that is answered, for analytics. */
  readonly slug?: Slug;
  /** As in the reply, whose own go before them. */
  readonly missing?: readonly MissingName[];
  /** Strong, with its quotes; of the body without content coding. Without one there is no 304. */
  readonly etag?: string;
  /** Content codings of the reply of `make`. */
  readonly codings?: Codings;
  readonly lastModified?: Date | undefined;
  /** Also sent with 304; `ETag` and `Last-Modified` among them (`etagHeaders`). */
  readonly headers: HeaderFields;
  /** In the place of `headers` for a publishable key: caches may keep the answer for all. */
  readonly publicHeaders?: HeaderFields;
  /** How many the answer counts, at most 100; 0: none, but one of the burst. Default 1. */
  readonly units?: number;
  /** May throw AppError; what was admitted is then given back, unless the error says that it counts. So it is for a status from 400 on. */
  readonly make: (client: WaitingClient) => Promise<Reply> | Reply;
  /**
   * The reply of `make` for HEAD, without its body while that is not made yet. Without `peek`, HEAD makes it.
   */
  readonly peek?: () => Promise<Reply> | Reply;
}

/** For personal data, and for every error. */
export const NO_STORE: HeaderFields = { 'Cache-Control': 'no-store' };
/** The answer depends on that field of the request. */
export const VARY_ACCEPT: HeaderFields = { Vary: 'Accept' };
/** An SVG that is opened as a document may run no script and load nothing. */
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

/** 200 with JSON that is made while it is sent. */
export function jsonChunks(chunks: AsyncIterable<string>, ...head: HeaderFields[]): Reply {
  return { kind: 'reply', status: 200, headers: [JSON_TYPE, ...head], body: undefined, chunks };
}

/** 200 with JSON that is text already. */
export function jsonText(text: string): Reply {
  return { kind: 'reply', status: 200, headers: [JSON_TYPE], body: text };
}

export function content(body: Reply['body'], head: HeaderFields): Reply {
  return { kind: 'reply', status: 200, headers: [head], body };
}

/** 204 */
export function noContent(...head: HeaderFields[]): Reply {
  return { kind: 'reply', status: 204, headers: [NO_STORE, ...head], body: null };
}

/** 308 keeps the method; short-lived, because a name may move again. */
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

/** Codes grouped by status, for the documents. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return groups;
}
