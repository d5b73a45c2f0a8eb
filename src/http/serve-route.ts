// The life of one request, top to bottom.
import type { RouterContext } from '@koa/router';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError, invalidField } from '../errors.js';
import { credentialOf, type Credential, type Metering } from '../services/metering.js';
import { bodyReader } from './body.js';
import { isFresh } from './conditional.js';
import { quotaExceeded, quotaFields } from './quota-headers.js';
import { errorReply, type Reply } from './reply.js';
import { isMetered, type MeteredRoute, type Prepared, type Route } from './route.js';
import { parse, readPath, readQuery, refuseKeyInQuery } from './validation.js';

const NO_FIELDS = z.strictObject({});
/** What parsing made of an address is kept for this many of them: clients ask for the same pictures again and again. */
const MAX_KNOWN_ADDRESSES = 4096;
const MAX_KNOWN_LENGTH = 256;

type AnyCall = Parameters<MeteredRoute['handle']>[0];
type Address = Pick<AnyCall, 'params' | 'query'>;

/** Answers one route. Throws AppError for what the caller must hear. */
export function serveRoute(route: Route, metering: Metering): (context: RouterContext) => Promise<Reply> {
  const readBody = bodyReader(route);
  const addresses = new LRUCache<string, Address>({ max: MAX_KNOWN_ADDRESSES });
  return async (context) => {
    const { url = '/' } = context.req;
    let address = addresses.get(url);
    if (!address) refuseKeyInQuery(searchOf(url));
    // A malformed key is refused before any more is done for its bearer; a well-formed one is checked at admission.
    const credential = route.auth === 'key' ? presentedCredential(context) : undefined;
    if (!address) {
      address = parseAddress(route, context, url);
      if (url.length <= MAX_KNOWN_LENGTH) addresses.set(url, address);
    }
    const body: Record<string, unknown> = route.body ? parse(route.body, await readBody(context), 'field') : {};
    const { params, query } = address;
    if (route.auth === 'none') return serveOpen(await route.handle({ params, query, body, url, clientAddress: context.ip }), context);
    if (credential === undefined) throw new AppError('invalid_api_key');
    const call = { params, query, body, url, credential };
    return isMetered(route) ? serveMetered(route, metering, call, context) : ((await route.handle(call)));
  };
}

/** A pure function of the address, so it may be remembered. */
function parseAddress(route: Route, context: RouterContext, url: string): Address {
  return {
    params: parse(route.params ?? NO_FIELDS, readPath(context.params), 'parameter'),
    query: parse(route.query ?? NO_FIELDS, readQuery(searchOf(url), Object.keys((route.query ?? NO_FIELDS).shape)), 'parameter'),
  };
}

function searchOf(url: string): string {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? '' : url.slice(queryStart + 1);
}

async function serveOpen(answer: Reply | Prepared, context: RouterContext): Promise<Reply> {
  if (answer.kind === 'reply') return answer;
  const { etag, lastModified, fields, produce } = answer;
  if (etag !== undefined && isFresh(context.req.headers, etag, lastModified)) return { kind: 'reply', status: 304, head: [fields], body: null };
  const reply = await produce();
  return { ...reply, head: [fields, ...reply.head] };
}

/** Look up → 304 when the client has it → admit → make → answer, or give the admission back. */
async function serveMetered(route: MeteredRoute, metering: Metering, call: AnyCall, context: RouterContext): Promise<Reply> {
  const { bucket } = route;
  const { credential } = call;
  const prepared = await prepare(route, call);

  if ('error' in prepared || prepared.kind === 'reply') {
    // Not counted, but only for those with a right key, and not faster than their burst.
    const { quota } = await metering.admit({ ...credential, bucket, spend: 'burst' });
    const fields = quotaFields(bucket, quota);
    return 'error' in prepared ? errorReply(prepared.error, fields) : { ...prepared, head: [...prepared.head, fields] };
  }

  const { etag, lastModified, fields } = prepared;
  const { accountId, keyHash } = credential;
  if (etag !== undefined && isFresh(context.req.headers, etag, lastModified)) {
    const { quota } = await metering.admit({ accountId, keyHash, bucket, spend: 'verify' });
    return { kind: 'reply', status: 304, head: [fields, quotaFields(bucket, quota)], body: null };
  }

  const isHead = context.method === 'HEAD';
  const spend = isHead ? 'burst' : 'count';
  const { quota, admitted } = await metering.admit({ accountId, keyHash, bucket, spend });
  if (!admitted) return errorReply(quotaExceeded(bucket, quota), quotaFields(bucket, quota));
  try {
    const { status, head, body } = isHead && prepared.peek ? prepared.peek() : await prepared.produce();
    return { kind: 'reply', status, head: [fields, ...head, quotaFields(bucket, quota)], body };
  } catch (error) {
    // Should that fail too, the first error is still the one to tell.
    if (spend === 'count') await metering.giveBack(credential, quota, bucket).catch(() => undefined);
    if (!(error instanceof AppError)) throw error;
    return errorReply(error, quotaFields(bucket, { ...quota, used: quota.used - Number(spend === 'count') }));
  }
}

async function prepare(route: MeteredRoute, call: AnyCall): Promise<Reply | Prepared | { readonly error: AppError }> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

function presentedCredential(context: RouterContext): Credential {
  const { 'x-api-key': key, authorization } = context.req.headers;
  if (key !== undefined && authorization !== undefined) {
    throw invalidField('Authorization', 'send either X-API-Key or Authorization, not both');
  }
  return credentialOf(typeof key === 'string' ? key : undefined);
}
