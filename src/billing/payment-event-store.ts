// Payment events: what the payment provider's webhook delivered, stored until it is processed, and known for a while after.

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
   * Stores an event that is due at once, or, without a customer, finished. Durable when it resolves: it survives the end of
   * the process. `duplicate` when its id is known: of any number of simultaneous calls, exactly one stores.
   */
  add(event: PaymentEvent, receivedAt: Date): Promise<'stored' | 'duplicate'>;
  /**
   * Stores that an event of this subscription is missing, due at `dueAt` as an event is (`isExpectation`). Once for each
   * subscription.
   */
  expectEvent(missing: MissingEvent): Promise<void>;
  /**
   * At most `limit` events that are due, the longest due first, now due again only after `claimMs`: no other call gets them
   * until then, in any process. Also those due later than any valid time: a clock was ahead.
   */
  claim(
    now: Date,
    { limit, claimMs }: { readonly limit: number; readonly claimMs: number },
  ): Promise<readonly StoredPaymentEvent[]>;
  /** `problem`: what was found wrong; null: nothing. */
  finish(id: string, at: Date, problem?: string | null): Promise<void>;
  /** Counts a failed try. */
  postpone(id: string, { dueAt, error }: { readonly dueAt: Date; readonly error: string }): Promise<void>;
  /** Makes an event due again, also a finished one. False: there is none with this id. */
  replay(id: string, at: Date): Promise<boolean>;
  /** The latest by time of receipt, newest first; only those of this customer, where one is given. */
  latest(page: { readonly limit: number; readonly customerId?: string }): Promise<readonly StoredPaymentEvent[]>;
  /** How many are not finished. */
  unfinished(): Promise<number>;
  /** Deletes finished events that were received earlier; how many. */
  prune(before: Date): Promise<number>;
}

/** Longest time by which an event is ever postponed or claimed. */
export const MAX_POSTPONE_MS = 10 * 60 * 1000;

/** The provider repeats a webhook for three days (docs.stripe.com/webhooks#retries); operators look back further. */
export const PAYMENT_EVENTS_KEPT_DAYS = 30;
