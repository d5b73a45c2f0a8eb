// Checkouts of a customer at Stripe, and its deletion.
import type { Stripe } from 'stripe';
import type { Customer, PaymentPage } from '../../ports/payments.js';
import { unlessMissing } from './calls.js';

/** A customer of this service has one open checkout; more may be those of other services of the same Stripe account. */
const MAX_LISTED = 100;

interface CheckoutOptions {
  readonly price: string;
  /** Pages of Stripe lead back there. */
  readonly origin: string;
}

/** The open one of this price, else a new one; open ones of other prices are closed first. */
export async function openCheckout(
  stripe: Stripe,
  { customerId, accountId }: Customer,
  { price, origin }: CheckoutOptions,
): Promise<PaymentPage | undefined> {
  const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: MAX_LISTED });
  const same = open.data.find(({ metadata, url }) => metadata?.blazonPrice === price && url !== null);
  for (const { id } of open.data) if (id !== same?.id) await stripe.checkout.sessions.expire(id);
  const metadata = { blazonAccount: accountId, blazonPrice: price };
  const { id, url } =
    same ??
    (await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customerId,
      client_reference_id: accountId,
      line_items: [{ price, quantity: 1 }],
      allow_promotion_codes: true,
      metadata,
      subscription_data: { metadata },
      success_url: `${origin}/?checkout=done`,
      cancel_url: `${origin}/?checkout=canceled`,
    }));
  return url === null ? undefined : { id, url };
}

/** Ends all subscriptions at once. */
export async function deleteCustomer(stripe: Stripe, customerId: string): Promise<void> {
  const open = await unlessMissing(
    stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: MAX_LISTED }),
  );
  for (const { id } of open?.data ?? []) await stripe.checkout.sessions.expire(id);
  await unlessMissing(stripe.customers.del(customerId));
}
