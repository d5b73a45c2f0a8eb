// JSON bodies: read and parsed where a route has fields, rejected where it has none.
import type { IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { z } from 'zod';
import { AppError, invalidField, invalidFields } from '../../errors.js';
import { duplicateKeys, hasMoreValues } from './json-text.js';

const DEFAULT_MAX_BYTES = 64 * 1024;
/** Far above what any route takes (a batch: 100 slugs), and little work before a credential is checked. */
const MAX_JSON_VALUES = 1000;
/** RFC 7396: what `PATCH` takes, which clients may name. */
const MERGE_PATCH = 'application/merge-patch+json';
const UTF8_NAMES = ['', 'utf-8', 'utf8'];
/** Without `fatal`, bytes that are no UTF-8 would become U+FFFD, in a password too. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * koa-body decodes what it reads. As latin1 text that is one character per byte and loses nothing; as JSON, bytes that
 * are no UTF-8 would become U+FFFD, in a password too.
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
 * A route without a body schema has no fields. GET, too, rejects content (RFC 9110, section 9.3.1 allows it): a body
 * that turns out to be malformed would otherwise take the place of an answer that was counted already.
 */
export function bodyReader({
  body: fields,
  maxBodyBytes = DEFAULT_MAX_BYTES,
}: {
  readonly body?: z.ZodObject;
  readonly maxBodyBytes?: number;
}): (context: RouterContext) => Promise<unknown> {
  const limited = readerUpTo(maxBodyBytes);
  if (!fields) return (context) => rejectBody(context, limited);
  const mayBeLeftOut = Object.keys(fields.shape).length === 0;
  return async (context) => {
    // An answer that names the missing fields is of more help than one about media types.
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

/** A body of JSON as it was received, which its sender has signed. */
export function readRawBody(context: RouterContext, maxBodyBytes = DEFAULT_MAX_BYTES): Promise<Buffer> {
  rejectOtherMedia(context);
  return bytesOf(context, readerUpTo(maxBodyBytes));
}

/** `{}` says nothing, and clients that always send JSON may say it everywhere. */
async function rejectBody(context: RouterContext, reader: Reader): Promise<unknown> {
  if (!hasBody(context) || (await saysNothing(context, reader))) return {};
  throw invalidField('body', 'none is taken here', 'no body, or {}');
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

/** Proxies that forward a stream announce a body (Transfer-Encoding) even where it turns out empty. */
async function isEmpty(request: IncomingMessage): Promise<boolean> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }))
      if (Buffer.isBuffer(chunk) && chunk.length > 0) return false;
    return true;
  } catch {
    throw new AppError('invalid_request', 'The body ended early.');
  }
}

export function hasBody({ req: { headers } }: RouterContext): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** By its media type, in any case and with parameters (RFC 9110, section 8.3.1). */
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
    if (status === 400) throw new AppError('invalid_request', 'The body ended early.');
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
    // Only the place: the rest of V8's message quotes the text, and there may be a password in it.
    const place = /\bposition \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new AppError('invalid_json', place === undefined ? undefined : `The body is not valid JSON, at ${place}.`);
  }
}
