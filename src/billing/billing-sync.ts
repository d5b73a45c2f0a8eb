// Billing sync: copies the customers' current subscriptions from the payment provider to the accounts.
import pLimit from 'p-limit';
import type { AccountBilling, AccountId } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { postponeSync, setSubscription, SYNC_EVERY_MS } from '../accounts/changes/billing.js';
import { chooseSubscription, isOpen, type Subscription } from '../accounts/subscription.js';
import { MINUTE_MS } from '../platform/time.js';
import { ignoring, isCode, PaymentsAwayError } from '../platform/errors.js';
import type { BillingContext } from './context.js';

const AT_ONCE = 8;
/** Maximum number of accounts per run of the job. */
const ROUND = 400;
const RETRY_MS = 10 * MINUTE_MS;
/**
 * Maximum time in ms to wait for the event of a new subscription. Stripe sends events within seconds. After this time,
 * the operator gets a warning.
 */
const EVENT_WAIT_MS = 5 * MINUTE_MS;

type Ports = Pick<BillingContext, 'accounts' | 'actors' | 'paymentEvents' | 'payments' | 'now'> & {
  readonly onProblem: (text: string) => void;
};

export type BillingSync = ReturnType<typeof createBillingSync>;

export function createBillingSync(ports: Ports) {
  const { accounts, payments, now } = ports;

  /**
   * Asks the provider for the account's subscriptions and stores the result. The account's lock prevents an older
   * result from overwriting a newer one. If Stripe's event about a new subscription does not arrive within
   * `EVENT_WAIT_MS`, the operator gets a warning. Rejects with AppError `not_found`, `billing_unavailable`, `busy`,
   * `conflict`, `unavailable`.
   */
  async function sync(id: AccountId): Promise<void> {
    const found = await syncAccount(ports, id);
    if (found) await expectEvent(ports, found);
  }

  /**
   * Syncs an account. If this fails, postpones its next sync. Otherwise the failing account would be tried before other
   * accounts in each run.
   */
  async function settle(id: AccountId): Promise<void> {
    try {
      await sync(id);
    } catch (error) {
      if (isCode(error, 'not_found')) return;
      const retryAt = new Date(now() + (payments.isConfigured ? RETRY_MS : SYNC_EVERY_MS));
      await ports.actors.run(id, SYSTEM, (account, at) => postponeSync(account, retryAt, at));
      if (payments.isConfigured && !(error instanceof PaymentsAwayError)) throw error;
    }
  }

  return {
    sync,

    /**
     * Syncs the account of a customer, because an event of this customer has arrived. Returns false if no account has
     * this customer.
     */
    async syncCustomer(customerId: string): Promise<boolean> {
      const account = await accounts.findByCustomer(customerId);
      if (!account) return false;
      await syncAccount(ports, account.id).catch(ignoring('not_found'));
      return true;
    },

    /**
     * Syncs the accounts that have not been synced for a day, and the accounts whose plan ends. Returns the number of
     * accounts. If the provider does not respond, keeps the stored subscriptions. After any other error, still syncs
     * the remaining accounts, and then rejects.
     */
    async settleDue(): Promise<number> {
      const limit = pLimit(AT_ONCE);
      const due = await accounts.due('billing', new Date(now()), ROUND);
      const outcomes = await Promise.allSettled(due.map((id) => limit(() => settle(id))));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
      return due.length;
    },
  };
}

/** Subscription that a sync has found at the provider, but not in the account. */
export interface FoundSubscription {
  readonly id: string;
  readonly customerId: string;
}

/** Stores a record that waits for the event of this subscription. The wait ends after `EVENT_WAIT_MS`. */
export async function expectEvent(
  { paymentEvents, now }: Pick<Ports, 'paymentEvents' | 'now'>,
  { id, customerId }: FoundSubscription,
): Promise<void> {
  const foundAt = new Date(now());
  const dueAt = new Date(foundAt.getTime() + EVENT_WAIT_MS);
  await paymentEvents.expectEvent({ subscriptionId: id, customerId, foundAt, dueAt });
}

/** Returns the reported subscription if it is open and the account does not have it yet. */
export function newSubscription(
  { customerId, subscription: before }: AccountBilling,
  reported: Subscription | null,
): FoundSubscription | undefined {
  return reported && isOpen(reported) && before?.id !== reported.id ? { id: reported.id, customerId } : undefined;
}

/**
 * Syncs the account under its lock. Returns the open subscription if the account did not have it before this sync,
 * otherwise undefined.
 */
function syncAccount(ports: Ports, id: AccountId): Promise<FoundSubscription | undefined> {
  const { actors, payments, onProblem } = ports;
  return actors.runPrepared(id, SYSTEM, {
    async prepare({ billing, email }, at) {
      if (!billing) return undefined;
      if (billing.isEmailOutdated === true) await tellEmail(ports, billing.customerId, email);
      const subscriptions = (await payments.subscriptions(billing.customerId)) ?? [];
      const subscription = chooseSubscription(subscriptions, at);
      const isNew = newSubscription(billing, subscription);
      // The customer must not pay another open checkout, because this would create a second subscription.
      if (isNew) await payments.closeCheckouts(billing.customerId);
      const open = subscriptions.filter(isOpen);
      if (open.length > 1)
        onProblem(
          `the customer ${billing.customerId} has ${open.length} subscriptions: ${open.map((one) => one.id).join(', ')}`,
        );
      return { customerId: billing.customerId, subscription, email, isNew };
    },
    decide(account, at, found): Change<FoundSubscription | undefined> {
      if (!found) return { ...unchanged(account), result: undefined };
      const { customerId, subscription, email, isNew } = found;
      const change = setSubscription(account, customerId, { subscription, at, isEmailTold: email === account.email });
      return { ...change, result: isNew };
    },
  });
}

/**
 * Sends the address to the provider. If the provider rejects the address, reports this to the operator and does not
 * throw, because the sync of plan and cancellation is more important. Throws `PaymentsAwayError` if the provider does
 * not respond.
 */
async function tellEmail({ payments, onProblem }: Ports, customerId: string, email: string): Promise<void> {
  await payments.setEmail(customerId, email).catch((error: unknown) => {
    if (error instanceof PaymentsAwayError) throw error;
    onProblem(`updating the e-mail address of the Stripe customer ${customerId} failed: ${String(error)}`);
  });
}
