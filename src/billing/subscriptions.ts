// Subscriptions for the accounts' owners. While an owner is on a page of the payment provider or has just returned from
// it, `read` asks the provider. The owner then sees a payment before its event arrives.
import type { Account, AccountId } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { isWatched, watchSubscription } from '../accounts/changes/billing.js';
import { waitAtMost } from '../platform/concurrency/deadline.js';
import { SECOND_MS } from '../platform/time.js';
import { ignoring, isCode, PaymentsAwayError } from '../platform/errors.js';
import type { BillingContext } from './context.js';
import type { BillingSync } from './billing-sync.js';

/** Minimum time in ms between two requests to the provider about one account, over all processes. */
const ASK_EVERY_MS = 5 * SECOND_MS;
/**
 * Maximum wait for the provider in ms. After this time, the stored subscription is returned. The request to the
 * provider continues in the background.
 */
const ANSWER_LIMIT_MS = 3 * SECOND_MS;

type Ports = Pick<BillingContext, 'accounts' | 'actors' | 'payments' | 'rateLimits' | 'now' | 'onError'> & {
  readonly billing: Pick<BillingSync, 'sync'>;
};

export type Subscriptions = ReturnType<typeof createSubscriptions>;

export function createSubscriptions({ accounts, actors, payments, rateLimits, billing, now, onError }: Ports) {
  /** Syncs the account with the provider. Never rejects, because the stored subscription is used after a failure. */
  async function ask(id: AccountId): Promise<void> {
    try {
      const limit = { key: `subscription-asked:${id}`, rules: [{ limit: 1, windowMs: ASK_EVERY_MS }] };
      if ((await rateLimits.consume([limit])).ok) await billing.sync(id);
    } catch (error) {
      if (error instanceof PaymentsAwayError || isCode(error, 'not_found')) return;
      onError(error, 'reading a subscription from the payment provider failed; its last known state is shown');
    }
  }

  /** Returns the account with its subscription, or undefined if the account does not exist or is being deleted. */
  async function read(id: AccountId): Promise<Account | undefined> {
    const account = await accounts.find(id);
    if (!account || account.deleting) return undefined;
    if (!payments.isConfigured || !isWatched(account, new Date(now()))) return account;
    await waitAtMost(ANSWER_LIMIT_MS, ask(id));
    const asked = await accounts.find(id);
    return asked?.deleting === true ? undefined : asked;
  }

  return {
    read,

    /**
     * Called when an owner returns from a page of the provider. During the next ten minutes, `read` gets the
     * subscription from the provider. Returns the result of `read`. Rejects with AppError `busy`, `conflict`.
     */
    async refresh(id: AccountId): Promise<Account | undefined> {
      if (payments.isConfigured) await actors.run(id, SYSTEM, watchSubscription).catch(ignoring('not_found'));
      return read(id);
    },
  };
}
