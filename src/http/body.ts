// Reads the JSON body of a route that takes one.
import type { RouterContext } from '@koa/router';
import readBytes from 'raw-body';
import { AppError } from '../errors.js';
import { repeatedFields } from './repeated-fields.js';
import type { Route } from './route.js';

const MAX_BYTES = 64 * 1024;
const UTF8_NAMES = ['', 'utf-8', 'utf8'];
/** Not `fatal`, it would put U+FFFD in the place of what is no UTF-8, in a password too. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A route without a body schema reads nothing and has no fields. */
export function bodyReader(route: Route): (context: RouterContext) => Promise<unknown> {
  const { body: fields } = route;
  if (!fields) return () => Promise.resolve({});
  return async (context) => {
    refuseOtherMedia(context);
    const text = decoded(await bytesOf(context));
    const value = parsed(text);
    const repeated = repeatedFields(text);
    if (repeated.length > 0) {
      const details = repeated.map((field) => ({ field, reason: 'given more than once', allowed: Object.keys(fields.shape) }));
      throw new AppError('invalid_request', `${repeated.join(', ')}: given more than once`, { details });
    }
    return value;
  };
}

function refuseOtherMedia({ request, req }: RouterContext): void {
  if (request.is('application/json') !== 'application/json') throw new AppError('unsupported_media_type');
  if (!UTF8_NAMES.includes(request.charset.toLowerCase())) throw new AppError('unsupported_media_type', 'Send the body as UTF-8.');
  if (req.headers['content-encoding'] !== undefined) throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.');
}

async function bytesOf({ req }: RouterContext): Promise<Buffer> {
  try {
    return await readBytes(req, { limit: MAX_BYTES, length: req.headers['content-length'] ?? null });
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : undefined;
    if (status === 413) throw new AppError('payload_too_large');
    if (status === 400) throw new AppError('invalid_request', 'The body ended early.');
    throw error;
  }
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
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_json', `The body is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}
