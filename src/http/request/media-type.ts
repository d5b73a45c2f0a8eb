// Media type of a request's body.
import type { Context } from 'koa';

/** In any case, and with parameters (RFC 9110, section 8.3.1). */
export function isJson({ request }: Pick<Context, 'request'>): boolean {
  return request.type.trim().toLowerCase() === 'application/json';
}
