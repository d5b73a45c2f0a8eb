// The life of one request, top to bottom.
import type { RouterContext } from '@koa/router';
import { z } from 'zod';
import { AppError, invalidField } from '../errors.js';
import { credentialOf, type Credential, type Metering } from '../services/metering.js';
import { bodyReader } from './body.js';
import { isFresh } from './conditional.js';
import { quotaExceeded, quotaHeaders } from './quota-headers.js';
import { errorReply, type Reply } from './reply.js';
import { isMetered, type MeteredRoute, type Prepared, type Route } from './route.js';
import { parse, readPath, readQuery, refuseKeyInQuery } from './validation.js';

const NO_FIELDS = z.strictObject({});

type AnyCall = Parameters<MeteredRoute['handle']>[0];

/** Answers one route. Throws AppError for what the caller must hear. */
export function serveRoute(route: Route, metering: Metering): (context: RouterContext) => Promise<Reply> {
  const readBody = bodyReader(route);
  return async (context) => {
    const url = context.req.url ?? '/';
    const queryStart = url.indexOf('?');
    const search = queryStart === -1 ? '' : url.slice(queryStart + 1);
    refuseKeyInQuery(search);
    // A malformed key is refused before any work is done for its bearer; a well-formed one is checked at admission.
    const credential = route.auth === 'key' ? presentedCredential(context) : undefined;
    const call = {
      params: parse(route.params ?? NO_FIELDS, readPath(context.params), 'parameter'),
      query: parse(route.query ?? NO_FIELDS, readQuery(search), 'parameter'),
      body: parse(route.body ?? NO_FIELDS, await readBody(context), 'field'),
      url,
      clientAddress: context.ip,
    };
    if (route.auth === 'none') return route.handle(call);
    if (credential === undefined) throw new AppError('invalid_api_key');
    const keyed = { ...call, credential };
    return isMetered(route) ? serveMetered(route, metering, keyed, context) : ((await route.handle(keyed)) as Reply);
  };
}

/** Look up → 304 when the client has it → admit → make → answer, or give the admission back. */
async function serveMetered(route: MeteredRoute, metering: Metering, call: AnyCall, context: RouterContext): Promise<Reply> {
  const { bucket } = route;
  const { credential } = call;
  const prepared = await prepare(route, call);

  if ('error' in prepared || prepared.kind === 'reply') {
    // Not counted, but only for those with a right key, and not faster than their burst.
    const { quota } = await metering.admit({ ...credential, bucket, spend: 'burst' });
    const headers = quotaHeaders(bucket, quota);
    return 'error' in prepared ? errorReply(prepared.error, headers) : { ...prepared, headers: { ...prepared.headers, ...headers } };
  }

  const { etag, lastModified } = prepared;
  const headers = { ...prepared.headers, ...(etag !== undefined && { ETag: etag }), ...modified(lastModified) };
  if (etag !== undefined && isFresh(context.req.headers, etag, lastModified)) {
    const { quota } = await metering.admit({ ...credential, bucket, spend: 'verify' });
    return { kind: 'reply', status: 304, headers: { ...headers, ...quotaHeaders(bucket, quota) }, body: null };
  }

  const spend = context.method === 'HEAD' ? 'burst' : 'count';
  const { quota, admitted } = await metering.admit({ ...credential, bucket, spend });
  if (!admitted) return errorReply(quotaExceeded(bucket, quota), quotaHeaders(bucket, quota));
  try {
    const reply = await prepared.produce();
    return { ...reply, headers: { ...headers, ...reply.headers, ...quotaHeaders(bucket, quota) } };
  } catch (error) {
    if (spend === 'count') await metering.giveBack(credential, quota, bucket);
    if (!(error instanceof AppError)) throw error;
    return errorReply(error, quotaHeaders(bucket, { ...quota, used: quota.used - Number(spend === 'count') }));
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

function modified(date: Date | undefined): Readonly<Record<string, string>> {
  return date === undefined ? {} : { 'Last-Modified': date.toUTCString() };
}
