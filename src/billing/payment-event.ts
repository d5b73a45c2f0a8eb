// Payment events. With an event, the payment provider reports that data of a customer may have changed.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';

export const paymentEventSchema = z.object({
  id: z.string(),
  type: z.string(),
  /** Customer at the provider; null if the event concerns no customer. */
  customerId: z.string().nullable(),
  /** Time of the event by the provider's clock. */
  createdAt: instant,
  receivedAt: instant,
  /** Time of the next attempt; null when the event is finished. */
  dueAt: instant.nullable().default(null),
  /** Number of failed attempts. */
  tries: z.int(),
  finishedAt: instant.nullable(),
  /** Error of the last failed attempt, or the problem that processing has found; null if there was none. */
  error: z.string().nullable(),
  version: z.int().default(1),
});
export type StoredPaymentEvent = RecordOf<typeof paymentEventSchema>;

const EXPECTED = 'expected_';

/**
 * Returns the id of the placeholder for a subscription's event that has not arrived. A subscription has at most one
 * placeholder.
 */
export const expectationId = (subscriptionId: string): string => EXPECTED + subscriptionId;

/** Returns true if the record is a placeholder for an event that has not arrived. */
export const isExpectation = ({ id }: Pick<StoredPaymentEvent, 'id'>): boolean => id.startsWith(EXPECTED);

/** Event without its content. The content is not needed, because processing asks the provider for the current state. */
export type PaymentEvent = Pick<StoredPaymentEvent, 'id' | 'type' | 'customerId' | 'createdAt'>;
