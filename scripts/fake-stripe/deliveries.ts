// Deliveries of events to webhooks, signed as Stripe signs them.
import Stripe from 'stripe';
import type { ApiEvent } from './objects.js';

const DELIVERY_LIMIT_MS = 10_000;

export interface Signing {
  /** `whsec_…` */
  readonly secret: string;
  /** Of the signature; what the option `now` says when absent, however far `advanceTo` went. */
  readonly at?: Date;
}

export interface Delivery {
  /** 0 without an answer. */
  readonly status: number;
  readonly body: string;
}

/** Once: what is not answered is not tried again. Never rejects. */
export async function deliver(event: ApiEvent, url: string, { secret, at }: Required<Signing>): Promise<Delivery> {
  const payload = JSON.stringify(event, undefined, 2);
  const timestamp = Math.floor(at.getTime() / 1000);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_LIMIT_MS),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return { status: 0, body: String(error) };
  }
}
