// Calls of Stripe's API: bounded in number and time, with its errors as AppError. After a call without an answer, further
// ones are rejected at once for a moment, so that requests do not queue behind a service that is away.
import pLimit from 'p-limit';
import { Stripe } from 'stripe';
import { beginDeadline } from '../../platform/concurrency/deadline.js';
import { AppError, PaymentsAwayError } from '../../platform/errors.js';

/** Limit of one HTTP request; one that Stripe answers later is carried out all the same. */
export const REQUEST_LIMIT_MS = 3000;
/** Limit of a method of the port, which may send several. */
const CALL_LIMIT_MS = 5000;
const AWAY = 'The payment provider does not answer right now.';
const MAX_AT_ONCE = 32;
const MAX_WAITING = 256;
const PAUSE_MS = 1000;
const MAX_MESSAGE_CHARACTERS = 300;

type Calls = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Options {
  /** ms, of any clock that is not set. */
  readonly now: () => number;
  /** URI by which customers reach the operator; empty: none is known. */
  readonly operatorContact?: string;
}

/** Calls reject with AppError: `billing_unavailable`, or `conflict` for what Stripe refuses, and would refuse again. */
export function createStripeCalls({ now, operatorContact = '' }: Options): Calls {
  const limit = pLimit(MAX_AT_ONCE);
  let pausedUntilMs = -Infinity;

  function assertNotPaused(): void {
    if (now() < pausedUntilMs) throw new PaymentsAwayError(AWAY);
  }

  return async (work) => {
    assertNotPaused();
    if (limit.pendingCount >= MAX_WAITING)
      throw new PaymentsAwayError('Too many requests wait for the payment provider.');
    return limit(async () => {
      // It may have gone away while this call waited.
      assertNotPaused();
      try {
        return await beginDeadline(CALL_LIMIT_MS, timeoutError).within(work());
      } catch (error) {
        if (error instanceof TimeoutError || error instanceof Stripe.errors.StripeConnectionError)
          pausedUntilMs = now() + PAUSE_MS;
        throw appErrorOf(error, operatorContact);
      }
    });
  };
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const timeoutError = () => new TimeoutError(`no answer within ${CALL_LIMIT_MS} ms`);

/** Others than Stripe's are bugs, and returned as they are. */
function appErrorOf(error: unknown, operatorContact: string): unknown {
  if (!(error instanceof Stripe.errors.StripeError || error instanceof TimeoutError)) return error;
  // Not the error itself, which carries headers and parameters of the request.
  const cause = new Error(`${error.name}: ${error.message}`.slice(0, MAX_MESSAGE_CHARACTERS));
  if (isPassing(error)) return new PaymentsAwayError(AWAY, { cause });
  const operator = `the operator of this service${operatorContact === '' ? '' : ` (${operatorContact})`}`;
  if (isRefusal(error))
    return new AppError(
      'conflict',
      `The payment provider refuses this for your account, and would refuse it again. Ask ${operator} to mend it.`,
      { cause },
    );
  // A wrong or restricted key: for all customers alike, until it is mended.
  return new AppError(
    'billing_unavailable',
    `The payment provider does not accept the credentials of this service. Ask ${operator} to mend it.`,
    { cause },
  );
}

function isPassing(error: Stripe.errors.StripeError | TimeoutError): boolean {
  return (
    error instanceof TimeoutError ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    // Another request is at the same object.
    error.statusCode === 409
  );
}

/** Such as another currency than the customer's, or a price that is not active. */
function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** The result of `work`; undefined when Stripe has no such object. */
export async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The result of `work`; undefined when Stripe rejects it: it was done before, or is not possible any more. */
export async function unlessRejected<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
    throw error;
  }
}
