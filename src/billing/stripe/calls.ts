// Calls of Stripe's API, limited in number and time. Stripe's errors become AppErrors. After a call without a response,
// further calls are rejected for some seconds. Otherwise requests would queue while Stripe is unavailable.
import pLimit from 'p-limit';
import { Stripe } from 'stripe';
import { beginDeadline } from '../../platform/concurrency/deadline.js';
import { AppError, PaymentsAwayError } from '../../platform/errors.js';

/** Time limit of one HTTP request in ms. Stripe may still execute a request after this time. */
export const REQUEST_LIMIT_MS = 3000;
/** Time limit in ms of one method of `Payments`. A method may send several requests. */
const CALL_LIMIT_MS = 5000;
const AWAY = 'The payment provider does not respond right now.';
const MAX_AT_ONCE = 32;
const MAX_WAITING = 256;
const PAUSE_MS = 1000;
const MAX_MESSAGE_CHARACTERS = 300;

type Calls = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Options {
  /** Time in ms of a monotonic clock. */
  readonly now: () => number;
  /** URI at which customers can contact the operator; empty if unknown. */
  readonly operatorContact?: string;
}

/**
 * Returns a function that calls Stripe. Calls reject with AppError `billing_unavailable`, or with `conflict` if Stripe
 * rejects the request permanently.
 */
export function createStripeCalls({ now, operatorContact = '' }: Options): Calls {
  const limit = pLimit(MAX_AT_ONCE);
  let pausedUntilMs = -Infinity;

  function assertNotPaused(): void {
    if (now() < pausedUntilMs) throw new PaymentsAwayError(AWAY);
  }

  return async (work) => {
    assertNotPaused();
    if (limit.pendingCount >= MAX_WAITING)
      throw new PaymentsAwayError('Too many requests are waiting for the payment provider.');
    return limit(async () => {
      // Stripe may have become unavailable while this call waited in the queue.
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

const timeoutError = () => new TimeoutError(`no response within ${CALL_LIMIT_MS} ms`);

/** Converts Stripe's errors to AppErrors. Returns all other errors unchanged, because they are bugs. */
function appErrorOf(error: unknown, operatorContact: string): unknown {
  if (!(error instanceof Stripe.errors.StripeError || error instanceof TimeoutError)) return error;
  // The original error is not used as the cause, because it contains the headers and parameters of the request.
  const cause = new Error(`${error.name}: ${error.message}`.slice(0, MAX_MESSAGE_CHARACTERS));
  if (isPassing(error)) return new PaymentsAwayError(AWAY, { cause });
  const operator = `the operator of this service${operatorContact === '' ? '' : ` (${operatorContact})`}`;
  if (isRefusal(error))
    return new AppError(
      'conflict',
      `The payment provider rejects this request for your account, and will reject it again. Ask ${operator} to ` +
        'fix it.',
      { cause },
    );
  // The API key is wrong or restricted. All calls fail until the operator fixes it.
  return new AppError(
    'billing_unavailable',
    `The payment provider does not accept the credentials of this service. Ask ${operator} to fix them.`,
    { cause },
  );
}

function isPassing(error: Stripe.errors.StripeError | TimeoutError): boolean {
  return (
    error instanceof TimeoutError ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    // Also status 409, which means that another request is changing the same object.
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeIdempotencyError
  );
}

/**
 * Returns true if Stripe rejects the request permanently, for example because a price is inactive, or because the
 * customer pays in another currency.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Returns the result of `work`, or undefined if the object does not exist at Stripe. */
export async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the result of `work`. Returns undefined if Stripe rejects the change because it is already done or no longer
 * possible.
 */
export async function unlessRejected<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
    throw error;
  }
}
