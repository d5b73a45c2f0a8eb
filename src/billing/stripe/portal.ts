// Stripe's customer portal: the whole portal, or a page that only confirms a plan change.
import type { Stripe } from 'stripe';
import type { PaymentPage, PlanChange } from '../payments.js';
import { unlessMissing, unlessRejected } from './calls.js';
import type { Offers } from './offers.js';

interface Context {
  readonly stripe: Stripe;
  readonly offers: Offers;
  readonly origin: string;
}

/**
 * Returns the page that confirms the change. Returns the page of the whole portal if there is no change, or if the
 * portal's configuration does not allow changes. Returns undefined if the customer was deleted.
 */
export async function openPortal(
  context: Context,
  customer: string,
  change?: PlanChange,
): Promise<PaymentPage | undefined> {
  const { stripe, origin } = context;
  const whole = { customer, return_url: `${origin}/billing?checkout=back` };
  const flow = change && (await changeFlow(context, change));
  const page =
    (flow && (await unlessRejected(stripe.billingPortal.sessions.create({ ...whole, flow_data: flow })))) ??
    (await unlessMissing(stripe.billingPortal.sessions.create(whole)));
  return page && { id: page.id, url: page.url };
}

/**
 * Returns the parameters with which Stripe's portal only asks to confirm a plan change. Returns undefined if the offer
 * has no price, or if the subscription does not exist or has several items.
 */
async function changeFlow(
  { stripe, offers, origin }: Context,
  { subscriptionId, offer }: PlanChange,
): Promise<Stripe.BillingPortal.SessionCreateParams.FlowData | undefined> {
  const price = offers.priceOf(offer);
  const subscription = await unlessMissing(stripe.subscriptions.retrieve(subscriptionId));
  const [item, ...others] = subscription?.items.data ?? [];
  if (price === undefined || !item || others.length > 0) return undefined;
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription: subscriptionId, items: [{ id: item.id, price, quantity: 1 }] },
    after_completion: {
      type: 'redirect',
      redirect: { return_url: `${origin}/billing?checkout=changed&plan=${offer.plan}` },
    },
  };
}
