// Billing sync: copies the current subscriptions of the payment provider into the accounts.
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
/** Accounts per round of the job. */
const ROUND = 400;
const RETRY_MS = 10 * MINUTE_MS;
/**
 * Wait for the event of a new subscription. Stripe sends it within seconds; after this time the operator is warned that
 * it is missing.
 */
const EVENT_WAIT_MS = 5 * MINUTE_MS;

type Ports = Pick<BillingContext, 'accounts' | 'actors' | 'paymentEvents' | 'payments' | 'now'> & {
  /** Reports a problem to the operator. */
  readonly onProblem: (text: string) => void;
};

export type BillingSync = ReturnType<typeof createBillingSync>;

export function createBillingSync(ports: Ports) {
  const { accounts, payments, now } = ports;

  /**
   * Asks the provider within the account's turn, so that any order of calls ends in the latest state. If the provider
   * reports a new subscription, its event is expected, and the operator is warned when it does not arrive. Rejects with
   * AppError `not_found`, `billing_unavailable`, `busy`, `conflict`, `unavailable`.
   */
  async function sync(id: AccountId): Promise<void> {
    const found = await syncAccount(ports, id);
    if (found) await expectEvent(ports, found);
  }

  /**
   * Syncs an account and postpones its next sync, even after an error. One account that cannot be synced must not delay
   * the others.
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

    /** Syncs the account of a customer whose event has arrived. Returns false when no account has this customer. */
    async syncCustomer(customerId: string): Promise<boolean> {
      const account = await accounts.findByCustomer(customerId);
      if (!account) return false;
      await syncAccount(ports, account.id).catch(ignoring('not_found'));
      return true;
    },

    /**
     * Ends expired plans, and syncs every account that was not synced for a day. Returns the number of accounts. While
     * the provider does not answer, the stored state decides. If another error occurs, the method handles all accounts
     * first and then rejects.
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

/** A subscription that this service did not know before the sync. */
export interface FoundSubscription {
  readonly id: string;
  readonly customerId: string;
}

/** Records that a subscription was found by asking the provider and that its event is still missing. */
export async function expectEvent(
  { paymentEvents, now }: Pick<Ports, 'paymentEvents' | 'now'>,
  { id, customerId }: FoundSubscription,
): Promise<void> {
  const foundAt = new Date(now());
  const dueAt = new Date(foundAt.getTime() + EVENT_WAIT_MS);
  await paymentEvents.expectEvent({ subscriptionId: id, customerId, foundAt, dueAt });
}

/** Returns the reported open subscription, if the account had another one or none before. */
export function newSubscription(
  { customerId, subscription: before }: AccountBilling,
  reported: Subscription | null,
): FoundSubscription | undefined {
  return reported && isOpen(reported) && before?.id !== reported.id ? { id: reported.id, customerId } : undefined;
}

/** Returns undefined if the subscription was known, or if there is none. */
function syncAccount(ports: Ports, id: AccountId): Promise<FoundSubscription | undefined> {
  const { actors, payments, onProblem } = ports;
  return actors.runPrepared(id, SYSTEM, {
    async prepare({ billing, email }, at) {
      if (!billing) return undefined;
      if (billing.isEmailOutdated === true) await tellEmail(ports, billing.customerId, email);
      const subscriptions = (await payments.subscriptions(billing.customerId)) ?? [];
      const subscription = chooseSubscription(subscriptions, at);
      const isNew = newSubscription(billing, subscription);
      // The customer could still pay a checkout that is open, and would then have two subscriptions.
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
 * Sends the address to the provider. A rejected address is reported to the operator; plan and cancellation do not wait
 * for it. Throws `PaymentsAwayError`.
 */
async function tellEmail({ payments, onProblem }: Ports, customerId: string, email: string): Promise<void> {
  await payments.setEmail(customerId, email).catch((error: unknown) => {
    if (error instanceof PaymentsAwayError) throw error;
    onProblem(`updating the e-mail address of the Stripe customer ${customerId} failed: ${String(error)}`);
  });
}
