// Doctor: checks a deployment's prices and its webhook.
import { AppError, PaymentsAwayError } from '../platform/errors.js';
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import { isExpectation } from './payment-event.js';
import type { PaymentEvents } from './payment-event-store.js';
import type { Payments } from './payments.js';

/** Returns no findings if billing is off. */
export async function priceFindings(payments: Pick<Payments, 'isConfigured' | 'priceProblems'>): Promise<Finding[]> {
  if (!payments.isConfigured) return [];
  try {
    const problems = await payments.priceProblems();
    if (problems.length === 0) return [ok('billing prices', 'Stripe has those that are set, with their intervals.')];
    return problems.map((problem) =>
      failure('billing prices', problem, 'Set the variable to a recurring price of its plan and interval.'),
    );
  } catch (error) {
    if (error instanceof PaymentsAwayError)
      return [warning('billing prices', `They were not checked: ${error.message}`, 'Run this again later.')];
    if (!(error instanceof AppError)) throw error;
    return [
      failure(
        'billing prices',
        error.message,
        'Correct STRIPE_SECRET_KEY; a restricted key must be able to read prices.',
      ),
    ];
  }
}

const EVENTS_LOOKED_AT = 100;

/** Checks whether Stripe's events arrive. Returns no findings if nothing was bought. */
export async function webhookFindings(events: Pick<PaymentEvents, 'latest'>): Promise<Finding[]> {
  const latest = await events.latest({ limit: EVENTS_LOOKED_AT });
  const arrived = latest.find((one) => !isExpectation(one));
  const missing = latest.find((one) => isExpectation(one) && one.error !== null);
  // An event that arrived after the wait for the missing one had ended shows that the webhook works again.
  if (missing?.finishedAt && (!arrived || arrived.receivedAt < missing.finishedAt))
    return [
      warning(
        'billing webhook',
        `A subscription of the customer ${missing.customerId} was found at Stripe on ${dayOf(missing.receivedAt)}, but no event of it has arrived.`,
        "Look at the webhook's deliveries in Stripe: its address is PUBLIC_URL/v1/billing/webhook, and its secret STRIPE_WEBHOOK_SECRET.",
      ),
    ];
  return arrived ? [ok('billing webhook', `The latest event of Stripe arrived on ${dayOf(arrived.receivedAt)}.`)] : [];
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
