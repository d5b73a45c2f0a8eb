// Customer at Stripe: subscriptions, checkouts, deletion.
import type { Stripe } from 'stripe';
import { AppError } from '../../platform/errors.js';
import type { Customer, Offer, PaymentPage } from '../payments.js';
import { unlessMissing, unlessRejected } from './calls.js';
import type { Offers } from './offers.js';
import { isOpen, type Subscription } from '../../accounts/subscription.js';
import { offerMetadata, subscriptionOf } from './subscription.js';

/** Maximum number of subscriptions or checkouts in a list that Stripe returns. */
const MAX_LISTED = 100;

interface Context {
  readonly stripe: Stripe;
  readonly offers: Offers;
  /** Origin of this deployment. Stripe's pages link back to it. */
  readonly origin: string;
  /** Called with the id of an open subscription, if its price belongs to no plan of this service. */
  readonly onUnknownPrice: (subscriptionId: string) => void;
}

/** Returns the customer's subscriptions, or undefined if the customer was deleted. */
export async function subscriptionsOf(
  { stripe, offers, onUnknownPrice }: Context,
  customerId: string,
): Promise<readonly Subscription[] | undefined> {
  const found = await unlessMissing(
    stripe.subscriptions.list({ customer: customerId, status: 'all', limit: MAX_LISTED }),
  );
  if (!found) return (await isDeleted(stripe, customerId)) ? undefined : throwUnknown(customerId);
  const subscriptions = found.data.map((one) => subscriptionOf(one, offers));
  for (const one of subscriptions) if (isOpen(one) && one.plan === null) onUnknownPrice(one.id);
  return subscriptions;
}

async function isDeleted(stripe: Stripe, customerId: string): Promise<boolean> {
  const customer = await unlessMissing(stripe.customers.retrieve(customerId));
  return customer?.deleted === true;
}

/**
 * Throws an error about a customer whom Stripe does not know. Stripe does not know customers of another Stripe account
 * or mode, so the API key is probably wrong.
 */
function throwUnknown(customerId: string): never {
  const text = `Stripe does not know the customer ${customerId}: STRIPE_SECRET_KEY may belong to another account or mode`;
  throw new AppError(
    'billing_unavailable',
    'The payment provider does not know this customer. Ask the operator of this service for help.',
    {
      cause: new Error(text),
    },
  );
}

/** Returns the customer's open checkout of this offer, or creates one. First closes open checkouts of other offers. */
export async function openCheckout(
  context: Context,
  { customerId, accountId }: Customer,
  offer: Offer,
): Promise<PaymentPage | 'already_subscribed' | 'not_sold' | 'no_customer'> {
  const { stripe, offers, origin } = context;
  const price = offers.priceOf(offer);
  if (price === undefined) return 'not_sold';
  const open = await unlessMissing(
    stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: MAX_LISTED }),
  );
  if (!open) return 'no_customer';
  const same = open.data.find(({ metadata, url }) => metadata?.blazonPrice === price && url !== null);
  for (const { id } of open.data) if (id !== same?.id) await unlessRejected(stripe.checkout.sessions.expire(id));
  const metadata = { blazonAccount: accountId, ...offerMetadata(price, offer) };
  const page =
    same ??
    (await unlessMissing(
      stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: customerId,
        client_reference_id: accountId,
        line_items: [{ price, quantity: 1 }],
        allow_promotion_codes: true,
        metadata,
        subscription_data: { metadata },
        success_url: `${origin}/billing?checkout=done`,
        cancel_url: `${origin}/billing?checkout=canceled`,
      }),
    ));
  if (!page?.url) return (await isDeleted(stripe, customerId)) ? 'no_customer' : 'not_sold';
  // The customer may have paid another checkout just before the new one was created. The new one must then be closed.
  if ((await subscriptionsOf(context, customerId))?.some(isOpen) !== true) return { id: page.id, url: page.url };
  await unlessRejected(stripe.checkout.sessions.expire(page.id));
  return 'already_subscribed';
}

export async function closeCheckouts(stripe: Stripe, customerId: string): Promise<void> {
  const open = await unlessMissing(
    stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: MAX_LISTED }),
  );
  for (const { id } of open?.data ?? []) await unlessRejected(stripe.checkout.sessions.expire(id));
}

/** Deletes the customer. Stripe then ends all its subscriptions immediately. */
export async function deleteCustomer(stripe: Stripe, customerId: string): Promise<void> {
  await closeCheckouts(stripe, customerId);
  if (!(await unlessMissing(stripe.customers.del(customerId))) && !(await isDeleted(stripe, customerId)))
    throwUnknown(customerId);
}
