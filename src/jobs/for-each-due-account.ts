// Batched processing of all accounts that are due; a failure for one does not stop the others.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { AccountId } from '../domain/account/account.js';
import { AppError } from '../errors.js';
import type { AccountStore } from '../ports/account-store.js';

const BATCH = 200;

interface Due {
  readonly accounts: Pick<AccountStore, 'due'>;
  readonly what: 'expiry' | 'deletion';
  /** ms since the epoch */
  readonly now: () => number;
}

/** The number of accounts. Throws AggregateError after the last one when `work` failed for any. */
export async function forEachDueAccount(
  { accounts, what, now }: Due,
  work: (id: AccountId) => Promise<void>,
): Promise<number> {
  const tried = new Set<AccountId>();
  const failures: unknown[] = [];
  for (;;) {
    // Failed ones are still due, and must not fill the batch.
    const due = await accounts.due(what, new Date(now()), BATCH + failures.length);
    const fresh = due.filter((id) => !tried.has(id));
    if (fresh.length === 0) break;
    for (const id of fresh) {
      tried.add(id);
      await work(id).catch((error: unknown) => {
        if (!isGone(error)) failures.push(error);
      });
      // Calls of the embedded store are synchronous: requests are served here.
      await nextTick();
    }
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `failed for ${failures.length} of ${tried.size} accounts: ${String(failures[0])}`,
    );
  return tried.size;
}

/** The account was deleted in the meantime. */
function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
