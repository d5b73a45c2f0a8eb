// Checks of the configured prices and of the webhook, for the command `doctor`.
import { AppError, PaymentsAwayError } from '../platform/errors.js';
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import { isExpectation } from './payment-event.js';
import type { PaymentEvents } from './payment-event-store.js';
import type { Payments } from './payments.js';

/** Checks the configured prices. Returns no findings if billing is off. */
export async function priceFindings(payments: Pick<Payments, 'isConfigured' | 'priceProblems'>): Promise<Finding[]> {
  if (!payments.isConfigured) return [];
  try {
    const problems = await payments.priceProblems();
    if (problems.length === 0)
      return [ok('billing prices', 'All configured prices exist in Stripe and have the right interval.')];
    return problems.map((problem) =>
      failure('billing prices', problem, 'Set the variable to a recurring price with the interval of the plan.'),
    );
  } catch (error) {
    if (error instanceof PaymentsAwayError)
      return [
        warning('billing prices', `The prices could not be checked: ${error.message}`, 'Run doctor again later.'),
      ];
    if (!(error instanceof AppError)) throw error;
    return [
      failure(
        'billing prices',
        error.message,
        'Correct STRIPE_SECRET_KEY. A restricted key must be able to read prices.',
      ),
    ];
  }
}

const EVENTS_LOOKED_AT = 100;

/** Checks whether events from Stripe arrive. Returns no findings if there was no purchase yet. */
export async function webhookFindings(events: Pick<PaymentEvents, 'latest'>): Promise<Finding[]> {
  const latest = await events.latest({ limit: EVENTS_LOOKED_AT });
  const arrived = latest.find((one) => !isExpectation(one));
  const missing = latest.find((one) => isExpectation(one) && one.error !== null);
  // Warns only if no event has arrived since the service reported that an event is missing. A later event shows that
  // the webhook works now.
  if (missing?.finishedAt && (!arrived || arrived.receivedAt < missing.finishedAt))
    return [
      warning(
        'billing webhook',
        `Stripe has had a subscription of the customer ${missing.customerId} since ${dayOf(missing.receivedAt)}, ` +
          'but no webhook event for it has arrived.',
        'Check the deliveries of the webhook in Stripe. Its URL must be PUBLIC_URL/v1/billing/webhook, and its ' +
          'signing secret STRIPE_WEBHOOK_SECRET.',
      ),
    ];
  return arrived ? [ok('billing webhook', `The latest Stripe event arrived on ${dayOf(arrived.receivedAt)}.`)] : [];
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
