// Reads the JSON body of a route that takes one.
import type { RouterContext } from '@koa/router';
import { koaBody } from 'koa-body';
import { AppError } from '../errors.js';
import { repeatedFields } from './repeated-fields.js';
import type { Route } from './route.js';

const JSON_LIMIT = '64kb';

/** A route without a body schema reads nothing and has no fields. */
export function bodyReader(route: Route): (context: RouterContext) => Promise<unknown> {
  const { body: fields } = route;
  if (!fields) return () => Promise.resolve({});
  const read = koaBody({ jsonLimit: JSON_LIMIT, jsonStrict: true, includeUnparsed: true, urlencoded: false, text: false, multipart: false });
  return async (context) => {
    if (context.is('application/json') !== 'application/json') throw new AppError('unsupported_media_type');
    if (context.req.headers['content-encoding'] !== undefined) throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.');
    try {
      await read(context, () => Promise.resolve());
    } catch (error) {
      throw bodyError(error);
    }
    const { body, rawBody } = context.request as { readonly body?: unknown; readonly rawBody?: string };
    // The parser takes nothing for an empty object.
    if (rawBody === undefined || rawBody.trim() === '') throw new AppError('invalid_json', 'The body is empty.');
    const repeated = repeatedFields(rawBody);
    if (repeated.length > 0) {
      const details = repeated.map((field) => ({ field, reason: 'given more than once', allowed: Object.keys(fields.shape) }));
      throw new AppError('invalid_request', `${repeated.join(', ')}: given more than once`, { details });
    }
    return body;
  };
}

/** What co-body and raw-body throw carries the status they would answer. */
function bodyError(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new AppError('payload_too_large');
  if (status === 415) return new AppError('unsupported_media_type');
  if (status === 400) return new AppError('invalid_json', `The body is not valid JSON: ${(error as Error).message}`);
  return error;
}
