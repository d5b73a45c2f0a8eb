// Payment events: hints of the payment provider that something about a customer may have changed.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';

export const paymentEventSchema = z.object({
  /** The payment provider's. */
  id: z.string(),
  type: z.string(),
  /** Null: it is about no customer. */
  customerId: z.string().nullable(),
  /** By the payment provider's clock. */
  createdAt: instant,
  receivedAt: instant,
  /** Time of the next attempt to process it; null when it is finished. */
  dueAt: instant.nullable().default(null),
  /** Number of failed attempts to process it. */
  tries: z.int(),
  finishedAt: instant.nullable(),
  /** Reason of the last failure, or what was found wrong when it was finished; null when nothing was. */
  error: z.string().nullable(),
  version: z.int().default(1),
});
export type StoredPaymentEvent = RecordOf<typeof paymentEventSchema>;

const EXPECTED = 'expected_';

/** The record that waits for an event of a subscription which was found without one. One for each subscription. */
export const expectationId = (subscriptionId: string): string => EXPECTED + subscriptionId;

/** Whether the record is no event, but waits for one. */
export const isExpectation = ({ id }: Pick<StoredPaymentEvent, 'id'>): boolean => id.startsWith(EXPECTED);

/** Without its content: the provider is asked instead. */
export type PaymentEvent = Pick<StoredPaymentEvent, 'id' | 'type' | 'customerId' | 'createdAt'>;
