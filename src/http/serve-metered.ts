// Answers to requests with a key: 304, admission, rendering, refund, and their counting.
import type { RouterContext } from '@koa/router';
import type { Bucket } from '../domain/metering/plan.js';
import { AppError } from '../errors.js';
import type { Credential, Metering, QuotaReading } from '../services/metering.js';
import type { ResponseCounts } from '../services/response-counts.js';
import type { RenderClient } from '../services/images/render-request.js';
import { notModified } from './response/conditional.js';
import { quotaExceeded, rateLimitHeaders } from './response/rate-limit-headers.js';
import { errorReply, type ConditionalReply, type HeaderFields, type Reply } from './response/reply.js';
import { bucketOf, costOf, type MeteredRoute } from './route.js';
import type { MeteredCall } from './url-reader.js';

export interface Counting {
  readonly metering: Metering;
  /** Undefined: none are counted. */
  readonly responses?: Pick<ResponseCounts, 'count'> | undefined;
}

/** Counts the answer where the key was verified. */
export async function serveCounted(
  route: MeteredRoute,
  services: Counting,
  call: MeteredCall,
  context: RouterContext,
): Promise<Reply> {
  const { responses } = services;
  const { accountId } = call.credential;
  try {
    const reply = await serveMetered(route, services, call, context);
    responses?.count(accountId, reply.status, reply.slug);
    return reply;
  } catch (error) {
    // Only a right key meets the limit of its burst.
    if (error instanceof AppError && error.code === 'rate_limited') responses?.count(accountId, error.status);
    throw error;
  }
}

/** Look up → 304 when the client has it → admit → render → answer, or refund the admission. */
async function serveMetered(
  route: MeteredRoute,
  services: Counting,
  call: MeteredCall,
  context: RouterContext,
): Promise<Reply> {
  const { metering } = services;
  const bucket = bucketOf(route, call.query);
  const { credential } = call;
  const { accountId, keyHash, page, visitor } = credential;
  const cost = costOf(route, call);
  const prepared = await prepare(route, call);

  if ('error' in prepared || prepared.kind === 'reply') {
    // Not counted, but only for those with a right key, and not faster than their burst.
    const { quota } = await metering.admit({ ...credential, bucket, charge: 'burst', cost });
    const fields = rateLimitHeaders(bucket, quota);
    return 'error' in prepared
      ? errorReply(prepared.error, fields)
      : { ...prepared, headers: [...prepared.headers, fields] };
  }

  const { units = 1 } = prepared;
  const held = notModified(context.req.headers, prepared, fieldsOf(prepared, credential, context));
  if (held) {
    const { quota } = await metering.admit({ accountId, keyHash, page, bucket, charge: 'verify', units });
    return { kind: 'reply', status: 304, headers: [held, rateLimitHeaders(bucket, quota)], body: null };
  }

  const charge = context.method === 'HEAD' || units === 0 ? 'burst' : 'count';
  const { quota, admitted } = await metering.admit({
    ...{ accountId, keyHash, page, visitor },
    ...{ bucket, charge, units, cost },
  });
  if (!admitted) return errorReply(quotaExceeded(bucket, quota), rateLimitHeaders(bucket, quota));
  return serveAdmitted(services, { call, bucket, charge, quota, prepared }, context);
}

/** Header fields of the answer and of a 304. */
function fieldsOf(
  { headers, publicHeaders }: ConditionalReply,
  { page }: Credential,
  { req }: RouterContext,
): HeaderFields {
  if (page === undefined || !publicHeaders) return headers;
  // Sent in the header, the key is no part of the address that a shared cache goes by.
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
}

async function serveAdmitted(
  { metering, responses }: Counting,
  { call: { credential }, bucket, charge, quota, prepared }: Admitted,
  context: RouterContext,
): Promise<Reply> {
  const { accountId } = credential;
  const { units = 1 } = prepared;
  const isHead = context.method === 'HEAD';
  try {
    const {
      status,
      headers: rendered,
      body,
    } = isHead && prepared.peek ? await prepared.peek() : await prepared.render(renderClient(accountId, context));
    return {
      kind: 'reply',
      status,
      headers: [fieldsOf(prepared, credential, context), ...rendered, rateLimitHeaders(bucket, quota)],
      body,
      slug: isHead ? undefined : prepared.slug,
      codings: prepared.codings,
      caller: accountId,
    };
  } catch (error) {
    const isRefunded = charge === 'count' && !(error instanceof AppError && error.counts);
    // Should that fail too, the first error is still the one to report.
    if (isRefunded) await metering.refund({ ...credential, bucket, day: quota.day, units }).catch(() => undefined);
    if (!(error instanceof AppError)) {
      responses?.count(accountId, 500);
      throw error;
    }
    return errorReply(error, rateLimitHeaders(bucket, { ...quota, used: quota.used - (isRefunded ? units : 0) }));
  }
}

export function renderClient(fairnessKey: string, { res }: RouterContext): RenderClient {
  return {
    fairnessKey,
    signal() {
      const left = new AbortController();
      const leave = (): void => {
        // Closed after its answer: nobody has left.
        if (!res.writableEnded)
          left.abort(new AppError('busy', 'The connection was closed before the picture was drawn.'));
      };
      if (res.destroyed) leave();
      else res.once('close', leave);
      return left.signal;
    },
  };
}

type Prepared = Reply | ConditionalReply | { readonly error: AppError };

/** No promise where the handler needs none. */
function prepare(route: MeteredRoute, call: MeteredCall): Prepared | Promise<Prepared> {
  try {
    const prepared = route.handle(call);
    return prepared instanceof Promise ? prepared.catch(preparedError) : prepared;
  } catch (error) {
    return preparedError(error);
  }
}

function preparedError(error: unknown): Prepared {
  if (error instanceof AppError) return { error };
  throw error;
}
