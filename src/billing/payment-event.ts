// Payment events: notices by the payment provider that something about a customer may have changed.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';

export const paymentEventSchema = z.object({
  /** Id assigned by the payment provider. */
  id: z.string(),
  type: z.string(),
  /** Customer at the provider; null if the event concerns none. */
  customerId: z.string().nullable(),
  /** Time by the payment provider's clock. */
  createdAt: instant,
  receivedAt: instant,
  /** Time of the next attempt to process it; null when it is finished. */
  dueAt: instant.nullable().default(null),
  /** Number of failed attempts to process it. */
  tries: z.int(),
  finishedAt: instant.nullable(),
  /** Reason of the last failure, or the problem found when the event was finished; null if there was none. */
  error: z.string().nullable(),
  version: z.int().default(1),
});
export type StoredPaymentEvent = RecordOf<typeof paymentEventSchema>;

const EXPECTED = 'expected_';

/** Id of the record that waits for the event of a subscription. Each subscription has at most one. */
export const expectationId = (subscriptionId: string): string => EXPECTED + subscriptionId;

/** Returns true if the record is not an event but waits for a missing one. */
export const isExpectation = ({ id }: Pick<StoredPaymentEvent, 'id'>): boolean => id.startsWith(EXPECTED);

/** An event without its content. Processing asks the provider for the current state instead. */
export type PaymentEvent = Pick<StoredPaymentEvent, 'id' | 'type' | 'customerId' | 'createdAt'>;
