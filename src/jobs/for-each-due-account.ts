// Does something to every account for which it is due, however many there are, and whatever becomes of one of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountId } from '../domain/account/account.js';
import { AppError } from '../errors.js';
import type { AccountStore } from '../ports/account-store.js';

const ROUND = 200;

interface Due {
  readonly accounts: Pick<AccountStore, 'due'>;
  readonly what: 'expiry' | 'deletion';
  /** ms since the epoch */
  readonly now: () => number;
}

/** How many it was done to. Throws after the last one when it failed for any. */
export async function forEachDueAccount(
  { accounts, what, now }: Due,
  work: (id: AccountId) => Promise<void>,
): Promise<number> {
  const tried = new Set<AccountId>();
  const failures: unknown[] = [];
  for (;;) {
    // Those that failed are still due, and must not keep the others out of the round.
    const due = await accounts.due(what, new Date(now()), ROUND + failures.length);
    const fresh = due.filter((id) => !tried.has(id));
    if (fresh.length === 0) break;
    for (const id of fresh) {
      tried.add(id);
      await work(id).catch((error: unknown) => {
        if (!isGone(error)) failures.push(error);
      });
      // Nothing of the embedded store waits, so requests get their turn here.
      await nextTurn();
    }
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `failed for ${failures.length} of ${tried.size} accounts: ${String(failures[0])}`,
    );
  return tried.size;
}

/** Somebody else removed it meanwhile. */
function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
