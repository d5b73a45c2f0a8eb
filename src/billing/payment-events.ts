// Processing of payment events. Each event is stored before the webhook responds. It is then processed in the
// background, and retried until it succeeds.
import pLimit from 'p-limit';
import { isExpectation } from './payment-event.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { AppError, PaymentsAwayError } from '../platform/errors.js';
import { MAX_POSTPONE_MS, type StoredPaymentEvent } from './payment-event-store.js';
import type { BillingSync } from './billing-sync.js';
import type { BillingContext } from './context.js';

/** Maximum number of events per claim, and of customers that are synced at once. */
const BATCH = 16;
const CLAIM_MS = MINUTE_MS / 2;
/** Time in ms between two attempts to process an event while the provider does not respond. */
const PROBE_MS = 5 * SECOND_MS;
/**
 * Delay in ms before the first retry if the provider responds but processing fails. The delay doubles with every
 * attempt.
 */
const RETRY_MS = 10 * SECOND_MS;
const MAX_ERROR_CHARACTERS = 300;
/**
 * Maximum time in ms from a customer's event to the sync that finds a new subscription. Within this time, the event
 * counts as the event of the subscription. Older events are about other changes.
 */
const EVENT_BEFORE_MS = DAY_MS;
const EVENTS_LOOKED_AT = 20;

type Ports = Pick<BillingContext, 'paymentEvents' | 'payments' | 'now'> & {
  readonly billing: Pick<BillingSync, 'syncCustomer'>;
  readonly onError: (error: unknown) => void;
  readonly onProblem: (text: string) => void;
};

export type { StoredPaymentEvent } from './payment-event-store.js';

export type PaymentEventProcessing = ReturnType<typeof createPaymentEventProcessing>;

export function createPaymentEventProcessing(ports: Ports) {
  const { paymentEvents: events, payments, now, onError } = ports;
  const oneAtATime = pLimit(1);
  let isClosed = false;
  /** Next run, if it is scheduled but not started. */
  let next: Promise<number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function drainAll(): Promise<number> {
    for (let finished = 0; ;) {
      const due = isClosed ? [] : await events.claim(new Date(now()), { limit: BATCH, claimMs: CLAIM_MS });
      if (due.length === 0) return finished;
      const outcome = await processBatch(ports, due);
      finished += outcome.finished;
      // The provider does not respond, so further events would fail as well.
      if (outcome.isAway) return finished;
    }
  }

  /**
   * Processes the due events. Returns the number of finished events. Only one run at a time is active in this process.
   * All calls during a run wait for the same next run.
   */
  function drain(): Promise<number> {
    next ??= oneAtATime(() => {
      next = undefined;
      return drainAll();
    });
    return next;
  }

  function drainInBackground(): void {
    drain()
      .catch(onError)
      .finally(() => schedule());
  }

  /**
   * Schedules the next run. An event that a crashed process has claimed is due again after CLAIM_MS, so a later run
   * processes it.
   */
  function schedule(): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(drainInBackground, PROBE_MS).unref();
  }

  return {
    /**
     * Verifies and stores an event, then processes it in the background. Resolves when the event is durable. Rejects
     * with AppError `invalid_request` (not signed by the provider), `billing_unavailable` (not configured) and
     * `internal_error` (not stored).
     */
    async receive(payload: Buffer, signature: string | undefined): Promise<void> {
      const event = payments.readEvent(payload, signature);
      const outcome = await events.add(event, new Date(now())).catch((error: unknown) => {
        throw new AppError('internal_error', 'The event could not be stored. Send it again.', { cause: error });
      });
      if (outcome === 'stored' && event.customerId !== null && !isClosed) setImmediate(drainInBackground);
    },
    drain,
    /** Starts the processing of events, including events that other processes left unfinished. */
    start(): void {
      if (payments.isConfigured) drainInBackground();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await oneAtATime(() => undefined);
    },
  };
}

interface BatchOutcome {
  readonly finished: number;
  /** True if the provider does not respond. */
  readonly isAway: boolean;
}

/**
 * Processes a batch. A sync reads the latest state of the customer, so one sync finishes all events of the customer.
 */
async function processBatch(ports: Ports, due: readonly StoredPaymentEvent[]): Promise<BatchOutcome> {
  const events = due.filter((one) => !isExpectation(one));
  const customers = new Set(events.map(({ customerId }) => customerId));
  const outcomes = await Promise.all([
    ...[...customers].map((customerId) => {
      const ofCustomer = events.filter((event) => event.customerId === customerId);
      return processCustomer(ports, customerId, ofCustomer);
    }),
    ...due.filter(isExpectation).map((expectation) => endExpectation(ports, expectation)),
  ]);
  return {
    finished: outcomes.reduce((sum, { finished }) => sum + finished, 0),
    isAway: outcomes.some(({ isAway }) => isAway),
  };
}

async function processCustomer(
  { paymentEvents: events, billing, now, onError, onProblem }: Ports,
  customerId: string | null,
  ofCustomer: readonly StoredPaymentEvent[],
): Promise<BatchOutcome> {
  let problem: string | null = null;
  try {
    const isKnown = customerId === null || (await billing.syncCustomer(customerId));
    if (!isKnown) problem = 'no account has this customer';
  } catch (error) {
    const isAway = error instanceof PaymentsAwayError;
    onError(error);
    for (const { id, tries } of ofCustomer) {
      const delayMs = isAway ? PROBE_MS : Math.min(RETRY_MS * 2 ** tries, MAX_POSTPONE_MS);
      await events.postpone(id, { dueAt: new Date(now() + delayMs), error: textOf(error) });
    }
    return { finished: 0, isAway };
  }
  for (const { id, type } of ofCustomer) {
    if (problem !== null)
      onProblem(
        `the event ${id} (${type}) belongs to the customer ${customerId}, but ${problem}: the account was ` +
          'deleted, or another application uses this Stripe account',
      );
    await events.finish(id, new Date(now()), problem);
  }
  return { finished: ofCustomer.length, isAway: false };
}

/**
 * Ends the wait for a missing event. Reports a problem to the operator, unless an event of the customer has arrived.
 */
async function endExpectation({ paymentEvents: events, now, onProblem }: Ports, expectation: StoredPaymentEvent) {
  const { id, customerId, receivedAt: foundAt } = expectation;
  const latest = await events.latest({ limit: EVENTS_LOOKED_AT, ...(customerId !== null && { customerId }) });
  const hasArrived = latest.some(
    (one) => !isExpectation(one) && one.receivedAt.getTime() >= foundAt.getTime() - EVENT_BEFORE_MS,
  );
  if (!hasArrived)
    onProblem(
      `Stripe has a subscription of the customer ${customerId}, but no webhook event for it has arrived: check ` +
        'the webhook deliveries in Stripe, and STRIPE_WEBHOOK_SECRET',
    );
  await events.finish(id, new Date(now()), hasArrived ? null : 'no Stripe event has arrived');
  return { finished: 1, isAway: false };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_ERROR_CHARACTERS);
  const reason = error.cause instanceof Error ? ` ${error.cause.message}` : '';
  return (error.message + reason).slice(0, MAX_ERROR_CHARACTERS);
}
