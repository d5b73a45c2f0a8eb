// Store of payment events. It keeps each event of the provider's webhook until it is processed, and its id for some
// time after that.

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
   * Stores an event: due immediately, or already finished if it has no customer. The event is durable when the call
   * resolves. Returns `duplicate` when its id is known; of any number of simultaneous calls, exactly one stores the
   * event.
   */
  add(event: PaymentEvent, receivedAt: Date): Promise<'stored' | 'duplicate'>;
  /**
   * Records that the event of this subscription is missing. The record is due at `dueAt`, like an event
   * (`isExpectation`). A second call for the same subscription stores nothing.
   */
  expectEvent(missing: MissingEvent): Promise<void>;
  /**
   * Returns at most `limit` due events, the longest due first, and makes them due again after `claimMs`. Until then, no
   * other call in any process returns them. Also returns events with a `dueAt` further ahead than any valid
   * postponement, because some clock was ahead.
   */
  claim(
    now: Date,
    { limit, claimMs }: { readonly limit: number; readonly claimMs: number },
  ): Promise<readonly StoredPaymentEvent[]>;
  /** Marks an event as finished. `problem`: the problem that processing found, or null. */
  finish(id: string, at: Date, problem?: string | null): Promise<void>;
  /** Counts a failed attempt and sets the time of the next one. */
  postpone(id: string, { dueAt, error }: { readonly dueAt: Date; readonly error: string }): Promise<void>;
  /** Makes an event due again, even a finished one. Returns false if no event has this id. */
  replay(id: string, at: Date): Promise<boolean>;
  /** Returns the most recently received events, newest first. `customerId` limits the result to one customer. */
  latest(page: { readonly limit: number; readonly customerId?: string }): Promise<readonly StoredPaymentEvent[]>;
  /** Returns the number of unfinished events. */
  unfinished(): Promise<number>;
  /** Deletes finished events that were received before this time. Returns the number of deleted events. */
  prune(before: Date): Promise<number>;
}

/** Longest time by which an event can be postponed or claimed. */
export const MAX_POSTPONE_MS = 10 * 60 * 1000;

/**
 * The provider repeats a webhook for three days (docs.stripe.com/webhooks#retries). Operators need to look back
 * further.
 */
export const PAYMENT_EVENTS_KEPT_DAYS = 30;
