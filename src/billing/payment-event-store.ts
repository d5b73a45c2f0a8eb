// Store of payment events from the provider's webhook. An event is kept until it is processed, and some weeks after
// that.

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
   * Stores an event durably. It is due immediately, or already finished if it has no customer. Returns `duplicate` if
   * its id is stored. Of simultaneous calls with one id, exactly one stores the event.
   */
  add(event: PaymentEvent, receivedAt: Date): Promise<'stored' | 'duplicate'>;
  /**
   * Stores a record for the missing event of a subscription (`isExpectation`). Like an event, the record is claimed
   * when it is due at `dueAt`. If the subscription already has a record, does nothing.
   */
  expectEvent(missing: MissingEvent): Promise<void>;
  /**
   * Claims at most `limit` due events, the longest due first. No other call in any process returns them until `claimMs`
   * have passed. Then they are due again. Also claims events with a `dueAt` too far in the future to be valid, because
   * a wrong clock dated them.
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
  /** Returns the last received events, newest first; with `customerId`, only events of this customer. */
  latest(page: { readonly limit: number; readonly customerId?: string }): Promise<readonly StoredPaymentEvent[]>;
  unfinished(): Promise<number>;
  /** Deletes finished events received before `before`. Returns their number. */
  prune(before: Date): Promise<number>;
}

/** Maximum time in ms until the next attempt of an event that was postponed or claimed. */
export const MAX_POSTPONE_MS = 10 * 60 * 1000;

/**
 * Retention of events in days. The provider repeats a webhook for three days (docs.stripe.com/webhooks#retries).
 * Operators need to look back further.
 */
export const PAYMENT_EVENTS_KEPT_DAYS = 30;
