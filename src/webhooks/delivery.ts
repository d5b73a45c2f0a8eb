// Delivery of an event to an endpoint: its tries, and when the next one is due.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/time.js';
import type { Endpoint } from './endpoint.js';
import { EVENT_KINDS, type WebhookEvent } from './event.js';

/** Delays in ms between the tries of a delivery, before jitter. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
] as const;
/** Maximum random extension of a delay, as a share of the delay. It spreads the tries of many deliveries. */
const JITTER = 0.1;
/** Maximum delay in ms before a try, even if `Retry-After` asks for a longer delay. */
export const MAX_DELAY_MS = Math.ceil((1 + JITTER) * DAY_MS);
/** Time in ms for which every try of an endpoint may fail before the endpoint is disabled. */
export const FAILING_MS = 5 * DAY_MS;
/** Maximum number of listed deliveries per endpoint. The newest ones are listed. */
export const SHOWN_DELIVERIES = 100;
/** Maximum number of bytes of a response that are stored with its delivery. The rest of the response is dropped. */
export const SHOWN_BYTES = 1024;
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export const DELIVERY_ID_PATTERN = /^[0-9A-Za-z]{24}\.evt_[0-9A-Za-z]{18}$/;

const trySchema = z.object({
  at: instant,
  /** Null if there was no response. */
  httpStatus: z.int().nullable(),
  durationMs: z.int(),
  /** Start of the response, or the reason why there was none. */
  response: z.string(),
});

export const deliverySchema = z.object({
  /** `{endpoint id}.{event id}` */
  id: z.string(),
  endpointId: z.string(),
  eventId: z.string(),
  kind: z.enum(EVENT_KINDS),
  body: z.string(),
  createdAt: instant,
  status: z.enum(DELIVERY_STATES),
  /** Number of tries since the delivery was created or replayed. */
  tries: z.int(),
  /** Time of the next try; null if the delivery is delivered or has failed. */
  dueAt: instant.nullable(),
  lastTry: trySchema.nullable(),
  version: z.int(),
});
export type Delivery = RecordOf<typeof deliverySchema>;

export function newDelivery({ id: endpointId }: Pick<Endpoint, 'id'>, event: WebhookEvent): Delivery {
  const { id: eventId, kind, data } = event;
  const createdAt = new Date(event.atMs);
  const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data });
  return {
    ...{ id: `${endpointId}.${eventId}`, endpointId, eventId, kind, body, createdAt, version: 1 },
    ...{ status: 'pending', tries: 0, dueAt: createdAt, lastTry: null },
  };
}

/** Returns the delivery as pending again, with all its tries left. */
export function replayed(delivery: Delivery, at: Date): Delivery {
  return { ...delivery, status: 'pending', tries: 0, dueAt: at, version: delivery.version + 1 };
}

/** Response to a try, or the reason why there was none. */
export interface TryResult extends RecordOf<typeof trySchema> {
  /** Time in ms that the receiver asks to wait. */
  readonly retryAfterMs: number | undefined;
}

/** Returns the delivery after a try. `random`: a number from 0 to 1. */
export function tried(delivery: Delivery, { retryAfterMs = 0, ...lastTry }: TryResult, random: number): Delivery {
  const { at, httpStatus, durationMs } = lastTry;
  const after = { ...delivery, lastTry, tries: delivery.tries + 1, version: delivery.version + 1 };
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300)
    return { ...after, status: 'delivered', dueAt: null };
  const delayMs = RETRY_DELAYS_MS[delivery.tries];
  if (httpStatus === 410 || delayMs === undefined) return { ...after, status: 'failed', dueAt: null };
  const waitMs = Math.max(delayMs * (1 + JITTER * random), Math.min(retryAfterMs, MAX_DELAY_MS));
  return { ...after, dueAt: new Date(at.getTime() + durationMs + Math.round(waitMs)) };
}

/** A time more than `MAX_DELAY_MS` ahead counts as due, because only a wrong clock can have set it. */
export function isDue({ dueAt }: Pick<Delivery, 'dueAt'>, nowMs: number): boolean {
  return dueAt !== null && (dueAt.getTime() <= nowMs || dueAt.getTime() > nowMs + MAX_DELAY_MS);
}
