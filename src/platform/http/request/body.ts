// JSON bodies. A body is parsed if the route has fields, and rejected if the route has none.
import type { IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { z } from 'zod';
import { AppError, invalidField, invalidFields } from '../../errors.js';
import { duplicateKeys, hasMoreValues } from './json-text.js';

const DEFAULT_MAX_BYTES = 64 * 1024;
/**
 * Maximum number of JSON values, far more than any route needs (a batch has 100 slugs). The limit exists because the
 * body is parsed before the credential is checked.
 */
const MAX_JSON_VALUES = 1000;
/** Maximum length in bytes of an ignored body, enough for a form with one field. */
const MAX_IGNORED_BYTES = 4 * 1024;
/** Media type of RFC 7396. Clients may send it with `PATCH`. */
const MERGE_PATCH = 'application/merge-patch+json';
const UTF8_NAMES = ['', 'utf-8', 'utf8'];
/**
 * Decoder that throws for invalid UTF-8. Without `fatal`, each invalid byte would become U+FFFD, even in a password.
 */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Options of koa-body. It reads the body as latin1 text, in which each byte is one character. It does not parse JSON,
 * because it would replace invalid UTF-8 by U+FFFD, even in a password.
 */
const readerUpTo = (maxBytes: number) => ({
  maxBytes,
  read: koaBody({
    text: true,
    textTypes: ['application/json', MERGE_PATCH],
    textLimit: maxBytes,
    encoding: 'latin1',
    json: false,
    urlencoded: false,
    multipart: false,
    parsedMethods: Object.values(HttpMethodEnum),
  }),
});

type Reader = ReturnType<typeof readerUpTo>;

/**
 * Creates a reader of bodies. Without a body schema, it rejects every body, even of a GET request. RFC 9110, section
 * 9.3.1 allows this. In an unread body, the HTTP parser could later find a syntax error. Its error response would then
 * replace the response of a request that was already counted.
 */
export function bodyReader({
  body: fields,
  maxBodyBytes = DEFAULT_MAX_BYTES,
  ignoresBody,
}: {
  readonly body?: z.ZodObject;
  readonly maxBodyBytes?: number;
  readonly ignoresBody?: true;
}): (context: RouterContext) => Promise<unknown> {
  if (ignoresBody) return ignoreBody;
  const limited = readerUpTo(maxBodyBytes);
  if (!fields) return (context) => rejectBody(context, limited);
  const mayBeLeftOut = Object.keys(fields.shape).length === 0;
  return async (context) => {
    // If the request has neither a body nor a media type, an error about missing fields helps more than an error about
    // the media type.
    if (!hasBody(context) && (mayBeLeftOut || context.req.headers['content-type'] === undefined)) return {};
    rejectOtherMedia(context);
    const text = decoded(await bytesOf(context, limited));
    const value = parsed(text);
    const repeated = duplicateKeys(text);
    if (repeated.length > 0) {
      throw invalidFields(
        repeated.map((field) => ({ field, reason: 'given more than once', allowed: Object.keys(fields.shape) })),
      );
    }
    return value;
  };
}

/** Reads a JSON body as the raw bytes that its sender has signed. */
export function readRawBody(context: RouterContext, maxBodyBytes = DEFAULT_MAX_BYTES): Promise<Buffer> {
  rejectOtherMedia(context);
  return bytesOf(context, readerUpTo(maxBodyBytes));
}

/** Reads a short body and discards it. */
async function ignoreBody({ req }: RouterContext): Promise<unknown> {
  let bytes = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > MAX_IGNORED_BYTES) break;
    }
  } catch {
    throw new AppError('invalid_request', 'The body ended early.');
  }
  if (bytes > MAX_IGNORED_BYTES)
    throw new AppError('payload_too_large', `The body is larger than ${MAX_IGNORED_BYTES / 1024} KB.`);
  return {};
}

/** Rejects every body except an empty body and `{}`, which some clients send with every request. */
async function rejectBody(context: RouterContext, reader: Reader): Promise<unknown> {
  if (!hasBody(context) || (await saysNothing(context, reader))) return {};
  throw invalidField('body', 'this request must not have a body', 'no body, or {}');
}

async function saysNothing(context: RouterContext, reader: Reader): Promise<boolean> {
  if (!isJson(context)) return isEmpty(context.req);
  try {
    rejectOtherMedia(context);
    return /^(?:\{\s*\})?$/.test(decoded(await bytesOf(context, reader)).trim());
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Returns true if the body is empty. A proxy that forwards a stream may send `Transfer-Encoding` for an empty body. */
async function isEmpty(request: IncomingMessage): Promise<boolean> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }))
      if (Buffer.isBuffer(chunk) && chunk.length > 0) return false;
    return true;
  } catch {
    throw new AppError('invalid_request', 'The body is incomplete: the connection was closed early.');
  }
}

export function hasBody({ req: { headers } }: RouterContext): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/**
 * Returns true if the media type is JSON, or JSON Merge Patch in a PATCH request. Ignores case and parameters (RFC
 * 9110, section 8.3.1).
 */
export function isJson({ request }: Pick<Context, 'request'>): boolean {
  const type = request.type.trim().toLowerCase();
  return type === 'application/json' || (type === MERGE_PATCH && request.method === 'PATCH');
}

function rejectOtherMedia(context: RouterContext): void {
  const { request, req } = context;
  if (!isJson(context)) throw new AppError('unsupported_media_type');
  if (!UTF8_NAMES.includes(request.charset.toLowerCase()))
    throw new AppError('unsupported_media_type', 'Send the body as UTF-8.');
  if (req.headers['content-encoding'] !== undefined)
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.');
}

async function bytesOf(context: RouterContext, { read, maxBytes }: Reader): Promise<Buffer> {
  try {
    await read(context, () => Promise.resolve());
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : undefined;
    if (status === 413) throw new AppError('payload_too_large', `The body is larger than ${maxBytes / 1024} KB.`);
    if (status === 400)
      throw new AppError('invalid_request', 'The body is incomplete: the connection was closed early.');
    throw error;
  }
  const { body } = context.request as { readonly body?: unknown };
  return Buffer.from(typeof body === 'string' ? body : '', 'latin1');
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('invalid_json', 'The body is not valid UTF-8.');
  }
}

function parsed(text: string): unknown {
  if (text.trim() === '') throw new AppError('invalid_json', 'The body is empty.');
  if (hasMoreValues(text, MAX_JSON_VALUES)) throw invalidField('body', `more than ${MAX_JSON_VALUES} values`);
  try {
    return JSON.parse(text);
  } catch (error) {
    // Only the position in V8's message is reported, because the rest contains text of the body, such as a password.
    const place = /\bposition \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new AppError(
      'invalid_json',
      place === undefined ? undefined : `The body is not valid JSON: error at ${place}.`,
    );
  }
}
