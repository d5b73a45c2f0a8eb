// Stripe's events, verified by their signature (docs.stripe.com/webhooks#verify-official-libraries).
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { SECOND_MS } from '../../platform/time.js';
import { AppError } from '../../platform/errors.js';
import type { PaymentEvent } from '../payment-event-store.js';

/** Maximum difference in seconds between the time of the signature and the current time, in either direction. */
const TOLERANCE_SECONDS = 300;
const TIMESTAMP = /(?:^|,)t=(\d{1,12})(?:,|$)/;
const MAX_SIGNATURE_CHARACTERS = 2000;

const reference = z.union([z.string().max(255), z.object({ id: z.string().max(255) }).transform(({ id }) => id)]);
const eventSchema = z.object({
  id: z.string().regex(/^evt_\w{1,250}$/),
  object: z.literal('event'),
  type: z.string().max(255),
  created: z.int().min(0).max(253_402_300_799),
  data: z.object({
    object: z.object({
      id: z.string().max(255).optional(),
      object: z.string().optional(),
      customer: reference.nullish(),
    }),
  }),
});

interface Options {
  readonly webhooks: Stripe['webhooks'];
  /** Signing secrets. Stripe may have signed an event with any of them. */
  readonly secrets: readonly string[];
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

/** Verifies and parses an event. Throws AppError `invalid_request` if the payload is not signed or is not an event. */
export function readEvent(payload: Buffer, signature: string | undefined, options: Options): PaymentEvent {
  assertSigned(payload, signature, options);
  const parsed = eventSchema.safeParse(jsonOf(payload), { reportInput: false });
  if (!parsed.success) throw new AppError('invalid_request', 'The body is not a Stripe event.');
  const { id, type, created, data } = parsed.data;
  const { object } = data;
  const customerId = object.object === 'customer' ? object.id : object.customer;
  return { id, type, customerId: customerId ?? null, createdAt: new Date(created * SECOND_MS) };
}

function assertSigned(payload: Buffer, signature: string | undefined, { webhooks, secrets, now }: Options): void {
  if (signature === undefined || signature === '')
    throw new AppError('invalid_request', 'The Stripe-Signature header is missing.');
  const seconds = Number(TIMESTAMP.exec(signature.slice(0, MAX_SIGNATURE_CHARACTERS))?.[1] ?? NaN);
  if (Number.isNaN(seconds) || signature.length > MAX_SIGNATURE_CHARACTERS)
    throw new AppError('invalid_request', 'The Stripe-Signature header does not have the form t=…,v1=….');
  // The library rejects old signatures, but accepts signatures dated in the future.
  if (Math.abs(now() / SECOND_MS - seconds) > TOLERANCE_SECONDS)
    throw new AppError(
      'invalid_request',
      `The timestamp of the signature differs from the server time by more than ${TOLERANCE_SECONDS} seconds. ` +
        'Check the clock of this host.',
    );
  if (!secrets.some((secret) => isSignedBy(webhooks, { payload, signature, secret, nowMs: now() })))
    throw new AppError('invalid_request', 'The signature does not match the body and STRIPE_WEBHOOK_SECRET.');
}

interface Signed {
  readonly payload: Buffer;
  readonly signature: string;
  readonly secret: string;
  readonly nowMs: number;
}

function isSignedBy(webhooks: Stripe['webhooks'], { payload, signature, secret, nowMs }: Signed): boolean {
  try {
    return webhooks.signature?.verifyHeader(payload, signature, secret, TOLERANCE_SECONDS, undefined, nowMs) === true;
  } catch {
    return false;
  }
}

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}
