// Deletion of an account: its subscriptions end at the payment provider first, so that no payment follows.
import type { AccountId } from '../../domain/account/account.js';
import type { AuditActor } from '../../domain/account/audit-event.js';
import { beginDeletion } from '../../domain/account/changes/lifecycle.js';
import { assertStillAuthenticated, type Reauthentication } from '../../domain/account/changes/reauthentication.js';
import { isOpen } from '../../domain/billing/subscription.js';
import type { AccountContext } from './context.js';

export /**
 * Resolves when the account is removed. `proof` is undefined for the operator. Throws AppError `billing_unavailable`
 * while its subscriptions cannot be ended; then nothing is deleted.
 */
async function deleteAccount(
  { accounts, actors, payments }: Pick<AccountContext, 'accounts' | 'actors' | 'payments'>,
  id: AccountId,
  by: AuditActor,
  proof: Reauthentication | undefined,
): Promise<void> {
  await actors.runPrepared(id, by, {
    async prepare(account, at) {
      assertStillAuthenticated(account, proof, at);
      const { billing } = account;
      if (!billing) return;
      // Where billing is not set up any more, only what may still be paid stands in the way.
      const isPaid = billing.subscription !== null && isOpen(billing.subscription);
      if (payments.isConfigured || isPaid) await payments.deleteCustomer(billing.customerId);
    },
    decide: (account, at) => beginDeletion(account, proof, at),
  });
  // If this fails or is not reached, a job repeats it.
  await accounts.remove(id);
}
