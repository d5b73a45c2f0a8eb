// Store of payment events from the provider's webhook. Events are kept until they are processed, and then for some
// weeks.

import type { PaymentEvent, StoredPaymentEvent } from './payment-event.js';

export type { PaymentEvent, StoredPaymentEvent } from './payment-event.js';

export interface MissingEvent {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly foundAt: Date;
  readonly dueAt: Date;
}

export interface PaymentEvents {
  /**
   * Stores an event durably. An event with a customer is due immediately. An event without a customer is stored as
   * finished. Returns `duplicate` if an event with this id is already stored. If several calls with one id run at the
   * same time, exactly one stores the event.
   */
  add(event: PaymentEvent, receivedAt: Date): Promise<'stored' | 'duplicate'>;
  /**
   * Stores a placeholder (`isExpectation`) for the missing event of a subscription. After `dueAt`, `claim` returns the
   * placeholder. Does nothing if the subscription already has a placeholder.
   */
  expectEvent(missing: MissingEvent): Promise<void>;
  /**
   * Claims at most `limit` due events, the longest due first. For `claimMs`, no other call in any process returns them.
   * After that, they are due again. An event with a `dueAt` too far in the future counts as due, because a wrong clock
   * has set that time.
   */
  claim(
    now: Date,
    { limit, claimMs }: { readonly limit: number; readonly claimMs: number },
  ): Promise<readonly StoredPaymentEvent[]>;
  /** Marks an event as finished. `problem`: a problem found while processing it, or null. */
  finish(id: string, at: Date, problem?: string | null): Promise<void>;
  /** Saves the error of a failed attempt, and the time of the next attempt. */
  postpone(id: string, { dueAt, error }: { readonly dueAt: Date; readonly error: string }): Promise<void>;
  /** Makes an event due again, even if it is finished. Returns false if no event has this id. */
  replay(id: string, at: Date): Promise<boolean>;
  /** Returns the last received events, newest first. With `customerId`, returns only events of this customer. */
  latest(page: { readonly limit: number; readonly customerId?: string }): Promise<readonly StoredPaymentEvent[]>;
  unfinished(): Promise<number>;
  /** Deletes finished events received before `before`. Returns their number. */
  prune(before: Date): Promise<number>;
}

/** Maximum delay in ms of the next attempt to process an event, after the event was postponed or claimed. */
export const MAX_POSTPONE_MS = 10 * 60 * 1000;

/**
 * Retention of events in days. The provider repeats a webhook for three days (docs.stripe.com/webhooks#retries).
 * Operators need older events to find the cause of a problem.
 */
export const PAYMENT_EVENTS_KEPT_DAYS = 30;
