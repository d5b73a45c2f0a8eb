// Steps of a metered request: looks up the entry, returns a 304 if possible, counts the request, makes the picture,
// undoes the count after a failure, and counts the response.
import type { RouterContext } from '@koa/router';
import type { Deadline, Timers } from '../platform/concurrency/deadline.js';
import { NotFoundError } from '../platform/not-found.js';
import type { Credential } from '../accounts/credential.js';
import type { Bucket } from '../accounts/plan.js';
import { AppError } from '../platform/errors.js';
import type {
  AdmissionRequest,
  AdmissionResult,
  CountedRequest,
  Metering,
  QuotaReading,
} from '../metering/metering.js';
import { OwnBrandsChangedError, type AccountCatalog } from '../catalog/account-catalogs.js';
import type { ResponseCounts } from '../metering/response-counts.js';
import type { WaitingClient } from '../platform/reader.js';
import { notModified } from '../platform/http/response/conditional.js';
import { quotaExceeded, rateLimitHeaders } from '../metering/rate-limit-headers.js';
import { errorReply, type ConditionalReply, type HeaderFields, type Reply } from '../platform/http/response/reply.js';
import { noteAccount } from '../accounts/authentication/known-account.js';
import { beginReadLimit } from '../platform/http/read-limit.js';
import type { Services } from '../platform/services.js';
import { bucketOf, costOf, type MeteredRoute } from '../platform/http/route.js';
import type { MeteredCall } from './url-reader.js';

export interface Counting {
  readonly services: Services;
  /** Counter of responses to verified keys; undefined if responses are not counted. */
  readonly responses?: Pick<ResponseCounts, 'count'> | undefined;
  /** Timers. Tests replace them. */
  readonly timers?: Timers;
}

/**
 * Threshold for the elapsed time of a request in ms. Above it, the request's deadline also limits the admission. Below
 * it, the admission's own time limit ends before the deadline, so the deadline is not needed.
 */
const SHORT_WAIT_MS = 20;

/** Serves a request, and counts the response if the key was verified. */
export async function serveCounted(
  route: MeteredRoute,
  counting: Counting,
  call: MeteredCall,
  context: RouterContext,
): Promise<Reply> {
  const { responses, services } = counting;
  const { accountId } = call.credential;
  try {
    const reply = await serveMetered(route, counting, call, context);
    responses?.count(accountId, reply.status, reply.slug);
    if (reply.missing !== undefined && context.method !== 'HEAD') services.missing.count(accountId, reply.missing);
    return reply;
  } catch (error) {
    // Only a valid key can exceed its burst limit, so the key was verified, and the response is counted.
    if (error instanceof AppError && error.code === 'rate_limited') responses?.count(accountId, error.status);
    throw error;
  }
}

/** Error that is thrown if the account's own brands have changed since the request was prepared. */
class OwnBrandsDiffer extends Error {
  /**
   * `pages`: ids of the records in which the account's own brands are stored now, joined to one string. If empty, the
   * ids are unknown, and the account's catalog must be loaded again.
   */
  constructor(readonly pages: string) {
    super('The own brands of this account have changed. Prepare the request again.');
  }
}

interface Serving {
  readonly route: MeteredRoute;
  readonly counting: Counting;
  readonly limit: Deadline;
}

async function serveMetered(
  route: MeteredRoute,
  counting: Counting,
  call: MeteredCall,
  context: RouterContext,
): Promise<Reply> {
  // Ignores an error, because the handler will fail with the same error.
  await route.build?.(counting.services)?.catch(() => undefined);
  const serving = { route, counting, limit: beginReadLimit(counting.timers) };
  try {
    return await serveOnce(serving, call, context);
  } catch (error) {
    if (error instanceof OwnBrandsDiffer) return serveAgain(serving, call, context, error);
    throw error;
  }
}

/**
 * Maximum number of tries with reloaded own brands. Another try is needed if the account's own brands change during a
 * try.
 */
const MAX_TRIES = 7;

/** Loads the account's current own brands, and serves the request with these brands. */
async function serveAgain(
  serving: Serving,
  call: MeteredCall,
  context: RouterContext,
  { pages }: OwnBrandsDiffer,
): Promise<Reply> {
  const { accountCatalogs } = serving.counting.services;
  let current = pages;
  let { catalog } = call;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      catalog = await serving.limit.within(accountCatalogs.forAdmittedKey(call.credential, current));
    } catch (error) {
      // The own brands have changed again while they were loaded, so `catalog` is outdated. `serveOnce` notices this,
      // and throws OwnBrandsDiffer with the ids of the records that store the own brands now.
      if (!(error instanceof OwnBrandsChangedError)) throw error;
    }
    try {
      return await serveOnce(serving, { ...call, catalog }, context);
    } catch (error) {
      if (!(error instanceof OwnBrandsDiffer)) throw error;
      current = error.pages;
    }
  }
  throw new OwnBrandsChangedError();
}

/**
 * Serves a request once. Looks up the entry, and returns a 304 if the client has the picture. Otherwise counts the
 * request, makes the picture and returns it. If the picture cannot be made, undoes the count.
 */
async function serveOnce(serving: Serving, call: MeteredCall, context: RouterContext): Promise<Reply> {
  const { route, counting, limit } = serving;
  const { credential } = call;
  const { accountId, keyHash, allowingOrigins, visitor } = credential;
  const bucket = bucketOf(route, call);
  const cost = costOf(route, call);
  const preparing = prepare(route, call, counting.services);
  const prepared = preparing instanceof Promise ? await limit.within(preparing) : preparing;

  if ('error' in prepared || prepared.kind === 'reply') {
    // Errors, and replies without an ETag such as redirects, cost no quota. They require a valid key and count against
    // the burst limit.
    const { quota } = await admit(serving, call, context, { ...credential, bucket, charge: 'burst', cost });
    const fields = rateLimitHeaders(bucket, quota);
    return 'error' in prepared
      ? errorReply(await advised(prepared.error, limit), fields)
      : { ...prepared, headers: [...prepared.headers, fields] };
  }

  const { units = 1 } = prepared;
  const held = notModified(
    context.req.headers,
    comparable(prepared, call.catalog),
    fieldsOf(prepared, credential, context),
  );
  if (held) {
    const request = { accountId, keyHash, allowingOrigins, bucket, charge: 'verify', units } as const;
    const { quota } = await admit(serving, call, context, request);
    return { kind: 'reply', status: 304, headers: [held, rateLimitHeaders(bucket, quota)], body: null };
  }

  const charge = context.method === 'HEAD' || units === 0 ? 'burst' : 'count';
  const { quota, admitted } = await admit(serving, call, context, {
    ...{ accountId, keyHash, allowingOrigins, visitor },
    ...{ bucket, charge, units, cost },
  });
  if (!admitted) return errorReply(quotaExceeded(bucket, quota), rateLimitHeaders(bucket, quota));
  return serveAdmitted(counting, { call, bucket, charge, quota, prepared, limit }, context);
}

/**
 * Counts the request against the limits. If the account's own brands differ from `call.catalog`, undoes the count and
 * throws OwnBrandsDiffer.
 */
async function admit(
  { counting, limit }: Serving,
  { catalog }: MeteredCall,
  context: RouterContext,
  request: AdmissionRequest,
): Promise<AdmissionResult> {
  const result = await admitInTime(counting.services.metering, limit, request);
  const { quota, admitted, ownBrands } = result;
  noteAccount(context, request.accountId, quota.tier);
  if (ownBrands === catalog.ownBrandPageIds) return result;
  if (admitted && request.charge === 'count') await refund(counting, limit, { ...request, day: quota.day });
  throw new OwnBrandsDiffer(ownBrands);
}

/**
 * Removes `lastModified` if the account has own brands, so that clients compare only ETags. After an own brand is
 * removed, its URL may return a public brand's picture with an earlier date, which a comparison of dates would miss.
 */
function comparable(prepared: ConditionalReply, { ownBrandPageIds: pages }: AccountCatalog): ConditionalReply {
  return pages === '' ? prepared : { ...prepared, lastModified: undefined };
}

/** Adds similar names to the error about an unknown name. */
function advised(error: AppError, limit: Deadline): Promise<AppError> | AppError {
  return error instanceof NotFoundError ? limit.within(error.withSimilar()) : error;
}

/**
 * Counts the request. If the request has already taken `SHORT_WAIT_MS`, waits at most until the deadline. Otherwise,
 * only the time limit of `admit` applies. A count that succeeds after the deadline is undone.
 */
function admitInTime(metering: Metering, limit: Deadline, request: AdmissionRequest): Promise<AdmissionResult> {
  const admission = metering.admit(request);
  if (limit.elapsedMs() < SHORT_WAIT_MS) return admission;
  return limit.within(admission).catch((error: unknown) => {
    admission
      .then(async ({ quota: { day }, admitted }) => {
        if (admitted && request.charge === 'count') await metering.refund({ ...request, day });
      })
      // If `admit` failed, nothing was counted. If `refund` failed, it is not retried.
      .catch(() => undefined);
    throw error;
  });
}

/** Returns the headers that a response and its 304 have in common. */
function fieldsOf(
  { headers, publicHeaders }: ConditionalReply,
  { allowingOrigins }: Credential,
  { req }: RouterContext,
): HeaderFields {
  if (allowingOrigins === undefined || !publicHeaders) return headers;
  // If the key is in a header and not in the URL, shared caches must store a response per value of that header.
  if (req.headers['x-api-key'] === undefined) return publicHeaders;
  const { Vary } = publicHeaders;
  return { ...publicHeaders, Vary: Vary === undefined ? 'X-API-Key' : `${Vary}, X-API-Key` };
}

interface Admitted {
  readonly call: MeteredCall;
  readonly bucket: Bucket;
  readonly charge: 'count' | 'burst';
  readonly quota: QuotaReading;
  readonly prepared: ConditionalReply;
  readonly limit: Deadline;
}

/** Undoes the count of a request. Ignores a failure, because the caller reports the original error. */
async function refund({ services }: Counting, limit: Deadline, counted: CountedRequest): Promise<void> {
  await limit.within(services.metering.refund(counted)).catch(() => undefined);
}

async function serveAdmitted(
  counting: Counting,
  { call: { credential }, bucket, charge, quota, prepared, limit }: Admitted,
  context: RouterContext,
): Promise<Reply> {
  const { responses, timers } = counting;
  const { accountId } = credential;
  const { units = 1 } = prepared;
  const isHead = context.method === 'HEAD';
  const giveBack = (within: Deadline): Promise<void> =>
    refund(counting, within, { ...credential, bucket, day: quota.day, units });
  const restored = (isRefunded: boolean): QuotaReading => ({ ...quota, used: quota.used - (isRefunded ? units : 0) });
  try {
    const client = { fairnessKey: accountId, isStranger: false };
    const made = await replyOf(prepared, isHead, waitingClient(client, context, limit));
    const { status, headers, body, missing } = made;
    const isRefunded = charge === 'count' && isFailed(made);
    if (isRefunded) await giveBack(limit);
    return {
      kind: 'reply',
      status,
      headers: [fieldsOf(prepared, credential, context), ...headers, rateLimitHeaders(bucket, restored(isRefunded))],
      body,
      slug: isHead ? undefined : prepared.slug,
      missing: missing ?? prepared.missing,
      codings: prepared.codings,
      caller: accountId,
    };
  } catch (error) {
    const isRefunded = charge === 'count' && !(error instanceof AppError && error.counts);
    // If the stores are slow, undoing the count uses the rest of the deadline. Otherwise it gets a new deadline,
    // because making the picture may have used up the old one.
    if (isRefunded)
      await giveBack(error instanceof AppError && error.code === 'unavailable' ? limit : beginReadLimit(timers));
    // OwnBrandsChangedError does not contain the ids of the records that store the current own brands. The empty string
    // in OwnBrandsDiffer makes the caller load the account's catalog again.
    if (error instanceof OwnBrandsChangedError) throw new OwnBrandsDiffer('');
    if (!(error instanceof AppError)) {
      responses?.count(accountId, 500);
      throw error;
    }
    return errorReply(error, rateLimitHeaders(bucket, restored(isRefunded)));
  }
}

function replyOf({ make, peek }: ConditionalReply, isHead: boolean, client: WaitingClient): Promise<Reply> | Reply {
  return isHead && peek ? peek() : make(client);
}

function isFailed({ status, isUncounted }: Reply): boolean {
  return status >= 400 || isUncounted === true;
}

export function waitingClient(
  sender: Pick<WaitingClient, 'fairnessKey' | 'isStranger'>,
  { res }: RouterContext,
  limit: Deadline,
): WaitingClient {
  return {
    ...sender,
    inTime: limit.within,
    signal() {
      const left = new AbortController();
      const leave = (): void => {
        // If the response is complete, a closed connection does not mean that the client has disconnected early.
        if (!res.writableEnded)
          left.abort(new AppError('busy', 'The connection was closed before the picture was drawn.'));
      };
      if (res.destroyed) leave();
      else res.once('close', leave);
      return left.signal;
    },
    onceAnswered(act) {
      if (res.destroyed) act();
      else res.once('close', act);
    },
  };
}

type Prepared = Reply | ConditionalReply | { readonly error: AppError };

/** Prepares the reply. If the handler is synchronous, returns the reply without a promise. */
function prepare(route: MeteredRoute, call: MeteredCall, services: Services): Prepared | Promise<Prepared> {
  try {
    const prepared = route.handle(call, services);
    return prepared instanceof Promise ? prepared.catch(preparedError) : prepared;
  } catch (error) {
    return preparedError(error);
  }
}

function preparedError(error: unknown): Prepared {
  if (error instanceof AppError) return { error };
  throw error;
}
