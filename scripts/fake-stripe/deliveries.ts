// Deliveries of events to webhooks, signed as Stripe signs them.
import Stripe from 'stripe';
import type { ApiEvent } from './wire.js';

const DELIVERY_LIMIT_MS = 10_000;

export interface Delivery {
  readonly event: string;
  readonly url: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly body: string;
}

interface Target {
  readonly url: string;
  readonly secret: string;
  /** Of the signature. */
  readonly at: Date;
}

/** The very bytes that are sent. */
const payloadOf = (event: ApiEvent): string => JSON.stringify(event, undefined, 2);

/** Value of `Stripe-Signature`. */
function signatureOf(payload: string, secret: string, at: Date): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at.getTime() / 1000) });
}

/** Once: what is not answered is not tried again. Never rejects. */
export async function deliver(event: ApiEvent, { url, secret, at }: Target): Promise<Delivery> {
  const payload = payloadOf(event);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signatureOf(payload, secret, at),
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_LIMIT_MS),
    });
    return { event: event.id, url, status: response.status, body: await response.text() };
  } catch (error) {
    return { event: event.id, url, status: 0, body: String(error) };
  }
}
