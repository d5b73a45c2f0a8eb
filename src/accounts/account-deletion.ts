// Deletion of an account. The payment provider first ends the account's subscriptions, so that the customer is not
// charged any more.
import type { AccountId } from './account.js';
import type { AuditActor } from './audit-event.js';
import { beginDeletion } from './changes/lifecycle.js';
import { assertStillAuthenticated, type Reauthentication } from './changes/reauthentication.js';
import { isOpen } from './subscription.js';
import { deletionMail } from './templates.mail.js';
import type { AccountContext } from './context.js';

type Ports = Pick<AccountContext, 'accounts' | 'actors' | 'payments' | 'origin' | 'unstoredMails'>;

/**
 * Deletes an account, and mails its owner. Resolves when the account is removed. `proof` is undefined if the operator
 * deletes the account. Throws AppError `billing_unavailable`, and deletes nothing, if the subscriptions cannot be
 * ended.
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
      // If billing is not configured, `deleteCustomer` throws, so the account is not deleted. Without billing, the
      // call is therefore made only for a customer who may still be charged. With billing, it is always made.
      const isPaid = billing.subscription !== null && isOpen(billing.subscription);
      if (payments.isConfigured || isPaid) await payments.deleteCustomer(billing.customerId);
    },
    decide: (account, at) => ({ ...beginDeletion(account, proof, at), result: { email: account.email, at } }),
  });
  // If the process dies before the removal, or the removal fails, a job removes the account later.
  await accounts.remove(id);
  unstoredMails.send(id, deletionMail(origin, { ...deleted, by: proof ? 'customer' : 'operator' }));
}
