// `Retry-After` of a response: seconds, or an HTTP date (RFC 9110, section 10.2.3).
import { SECOND_MS } from '../time.js';

/** Returns the wait in ms that a response with the status 429 or 503 asks for, or undefined without a valid value. */
export function retryAfterMs(status: number, header: string | undefined, nowMs: number): number | undefined {
  if ((status !== 429 && status !== 503) || header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
