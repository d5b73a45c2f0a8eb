// Content codings of responses, chosen by `Accept-Encoding` (RFC 9110, sections 8.4 and 12.5.3). Each coding has its
// own ETag.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import Negotiator from 'negotiator';
import { CONTENT_CODINGS, type Codings, type ContentCoding } from './compression.js';
import type { ConditionalReply, HeaderFields, Reply } from './reply.js';

/**
 * Minimum length in bytes of a body that is compressed. Compressing a shorter body would save little, because it fits
 * into two packets with its head even without compression.
 */
export const MIN_CODED_BYTES = 2048;

const AVAILABLE = [...CONTENT_CODINGS, 'identity'];
const PREFERRED = { preferred: CONTENT_CODINGS };
/** Suffix of the ETag by content coding. */
const TAG_SUFFIXES: Readonly<Record<ContentCoding, string>> = { br: '-br', gzip: '-gz' };

/**
 * Returns the codings that the client accepts and does not rank below `identity`, best first. If the list is empty, the
 * response is sent uncompressed instead of a 406, as RFC 9110, section 12.4.1, allows.
 */
export function acceptedCodings(headers: IncomingHttpHeaders): ContentCoding[] {
  if (headers['accept-encoding'] === undefined) return [];
  const accepted = new Negotiator({ headers }).encodings(AVAILABLE, PREFERRED);
  const identity = accepted.indexOf('identity');
  const preferred = identity === -1 ? accepted : accepted.slice(0, identity);
  return preferred.flatMap((name) => CONTENT_CODINGS.filter((coding) => coding === name));
}

/**
 * Returns the ETag of the compressed body, derived from the ETag of the uncompressed body (RFC 9110, section 8.8.3.3).
 */
function codedTag(etag: string, coding: ContentCoding): string {
  return `${etag.slice(0, -1)}${TAG_SUFFIXES[coding]}"`;
}

/**
 * Returns the ETag of a compressed body that the client has and accepts. If there are several, returns the ETag of the
 * preferred coding.
 */
export function heldCodedTag(headers: IncomingHttpHeaders, etag: string): string | undefined {
  const held = headers['if-none-match'];
  if (!held?.includes(`${etag.slice(0, -1)}-`)) return undefined;
  return acceptedCodings(headers)
    .map((coding) => codedTag(etag, coding))
    .find((tag) => held.includes(tag));
}

/** Adds the compressed copies to the reply. `Vary` says that the response depends on `Accept-Encoding`. */
export function negotiated(answer: ConditionalReply, codings: Codings): ConditionalReply {
  const { headers, publicHeaders } = answer;
  return Object.assign({}, answer, {
    codings,
    headers: Object.assign({}, headers, varyOnCoding(headers)),
    ...(publicHeaders && { publicHeaders: Object.assign({}, publicHeaders, varyOnCoding(publicHeaders)) }),
  });
}

function varyOnCoding({ Vary }: HeaderFields): HeaderFields {
  return { Vary: Vary === undefined ? 'Accept-Encoding' : `${Vary}, Accept-Encoding` };
}

/** Middleware: compresses the reply with the coding that the client prefers. */
export const codeContent: Middleware = async ({ req, state }, next) => {
  await next();
  if (isNegotiated(state.reply)) state.reply = await encoded(req, state.reply);
};

/** Returns false if `encoded` would return the reply unchanged. */
export function isNegotiated({ codings, body, status }: Reply): boolean {
  if (codings === undefined || status !== 200) return false;
  return body === undefined || (body !== null && Buffer.byteLength(body) >= MIN_CODED_BYTES);
}

/**
 * Compresses the reply with the coding that the client prefers. For HEAD, compresses nothing, so the length of the
 * compressed body may be unknown.
 */
export async function encoded({ headers, method }: IncomingMessage, reply: Reply): Promise<Reply> {
  const { codings, body, caller = '' } = reply;
  const [coding] = acceptedCodings(headers);
  const isHead = method === 'HEAD';
  if (!codings || !coding || (!body && !isHead)) return reply;
  const bytes = isHead || !body ? codings.known(coding) : await codings.encode(coding, body, caller);
  // Without compressed bytes, the reply stays unchanged. A reply to HEAD that has a body is an exception. GET would
  // return this body compressed, and HEAD must have the same headers as GET.
  if (!bytes && !(isHead && body)) return reply;
  return { ...reply, headers: [...reply.headers.map(taggedFor(coding)), { 'Content-Encoding': coding }], body: bytes };
}

function taggedFor(coding: ContentCoding): (fields: HeaderFields) => HeaderFields {
  return (fields) => (fields.ETag === undefined ? fields : { ...fields, ETag: codedTag(fields.ETag, coding) });
}
