// Prices at Stripe of the offers that are for sale, and problems with the configured price ids.
import { Stripe } from 'stripe';
import type { Offer, Price } from '../payments.js';
import type { Offers } from './offers.js';

interface Readings {
  readonly prices: readonly Price[];
  /** Sentences about prices with a billing interval that differs from the offer. */
  readonly problems: readonly string[];
  /** Prices that could not be read, in the order of the offers. */
  readonly failures: readonly { readonly problem: string; readonly error: unknown }[];
}

/** Returns the prices of the offers that are for sale. Throws the first error if no price can be read. */
export async function pricesOf(
  stripe: Stripe,
  offers: Offers,
  onProblem: (text: string) => void,
): Promise<readonly Price[]> {
  const { prices, problems, failures } = await readPrices(stripe, offers);
  const [first] = failures;
  if (prices.length === 0 && first) throw first.error;
  for (const problem of [...problems, ...failures.map((one) => one.problem)]) onProblem(problem);
  return prices;
}

/**
 * Returns problems with the configured price ids, each as a sentence. A price that Stripe does not know is a problem.
 * Throws if Stripe does not respond.
 */
export async function priceProblems(stripe: Stripe, offers: Offers): Promise<readonly string[]> {
  const { problems, failures } = await readPrices(stripe, offers);
  for (const { error } of failures) if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  return [...problems, ...failures.map((one) => one.problem)];
}

async function readPrices(stripe: Stripe, offers: Offers): Promise<Readings> {
  const prices: Price[] = [];
  const problems: string[] = [];
  const failures: { problem: string; error: unknown }[] = [];
  const outcomes = await Promise.allSettled(offers.sold.map(([, id]) => stripe.prices.retrieve(id)));
  for (const [index, [offer, id]] of offers.sold.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') {
      const { unit_amount: amount, currency, recurring } = outcome.value;
      prices.push({ ...offer, amount, currency });
      if (recurring?.interval !== offer.interval || recurring.interval_count !== 1)
        problems.push(
          `${variableOf(offer)} is set to the price ${id}, which is charged ${frequencyOf(recurring)}. It must ` +
            `be charged every ${offer.interval}`,
        );
    } else {
      const error: unknown = outcome?.reason;
      const reason = error instanceof Error ? error.message : 'no reason given';
      failures.push({
        problem: `${variableOf(offer)} is set to the price ${id}, which cannot be read: ${reason}`,
        error,
      });
    }
  }
  return { prices, problems, failures };
}

const variableOf = ({ plan, interval }: Offer): string => `STRIPE_PRICE_${plan}_${interval}`.toUpperCase();

function frequencyOf(recurring: Stripe.Price.Recurring | null): string {
  if (recurring === null) return 'once';
  const { interval, interval_count: count } = recurring;
  return count === 1 ? `every ${interval}` : `every ${count} ${interval}s`;
}
