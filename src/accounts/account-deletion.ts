// Deletion of an account. Its subscriptions end at the payment provider first, so that no payment follows.
import type { AccountId } from './account.js';
import type { AuditActor } from './audit-event.js';
import { beginDeletion } from './changes/lifecycle.js';
import { assertStillAuthenticated, type Reauthentication } from './changes/reauthentication.js';
import { isOpen } from './subscription.js';
import { deletionMail } from './templates.mail.js';
import type { AccountContext } from './context.js';

type Ports = Pick<AccountContext, 'accounts' | 'actors' | 'payments' | 'origin' | 'unstoredMails'>;

/**
 * Deletes an account. Resolves when the account is removed; its owner gets a mail. `proof` is undefined for the
 * operator. Throws AppError `billing_unavailable` if its subscriptions cannot be ended; then nothing is deleted.
 */
export async function deleteAccount(
  { accounts, actors, payments, origin, unstoredMails }: Ports,
  id: AccountId,
  by: AuditActor,
  proof: Reauthentication | undefined,
): Promise<void> {
  const deleted = await actors.runPrepared(id, by, {
    async prepare(account, at) {
      assertStillAuthenticated(account, proof, at);
      const { billing } = account;
      if (!billing) return;
      // If billing is no longer configured, only a subscription that may still be charged prevents the deletion.
      const isPaid = billing.subscription !== null && isOpen(billing.subscription);
      if (payments.isConfigured || isPaid) await payments.deleteCustomer(billing.customerId);
    },
    decide: (account, at) => ({ ...beginDeletion(account, proof, at), result: { email: account.email, at } }),
  });
  // If this fails or is not reached, a job repeats it.
  await accounts.remove(id);
  unstoredMails.send(id, deletionMail(origin, { ...deleted, by: proof ? 'customer' : 'operator' }));
}
