// Account actors: changes of an account in one order, by a mailbox in this process, a lock over all processes, and
// compare and set. The lock only saves wasted work; the version keeps it correct when the lock lapses.
import type { Account, AccountId } from '../domain/account/account.js';
import type { Change } from '../domain/account/changes/change.js';
import { auditEvents, type AuditActor } from '../domain/account/audit-event.js';
import { AppError, isCode } from '../errors.js';
import type { AccountStore } from '../ports/account-store.js';
import type { Lease, Locks } from '../ports/locks.js';
import { createMailboxes } from './mailbox.js';

const LEASE_MS = 5000;
/** For its turn: in the mailbox, then for the lock. */
const TURN_WAIT_MS = 5000;
/** Each failed save means that another process's succeeded. */
const MAX_TRIES = 20;

interface Ports {
  readonly accounts: Pick<AccountStore, 'find' | 'save'>;
  readonly locks: Locks;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called after every saved change with the account as it is now. */
  readonly onChange?: (account: Account) => void;
}

export type AccountActors = Omit<ReturnType<typeof createAccountActors>, 'waiting'>;

interface Work<Prepared, Result> {
  readonly prepare: (account: Account, at: Date) => Promise<Prepared>;
  readonly decide: (account: Account, at: Date, prepared: Prepared) => Change<Result>;
}

interface Turn<Prepared, Result> extends Pick<Work<Prepared, Result>, 'decide'> {
  readonly prepare: (account: Account, at: Date, lease: Lease) => Promise<Prepared>;
}

/** The actors of this process. */
export function createAccountActors({ accounts, locks, now, onChange }: Ports) {
  const mailboxes = createMailboxes();

  async function decideAndSave<Prepared, Result>(
    id: AccountId,
    by: AuditActor,
    { prepare, decide, lease }: Turn<Prepared, Result> & { readonly lease: Lease },
  ): Promise<Result> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await lease.renew();
      const account = await accounts.find(id);
      if (!account || account.deleting) throw new AppError('not_found', 'There is no such account.');
      const prepared = await prepare(account, new Date(now()), lease);
      const at = new Date(now());
      const change = decide(account, at, prepared);
      if (change.account === account) return change.result;
      const next = { ...change.account, version: account.version + 1 };
      const events = auditEvents(change.facts, { account: next, by, at });
      if (!(await accounts.save(next, events, account))) continue;
      onChange?.(next);
      return change.result;
    }
    throw new AppError('conflict');
  }

  function turn<Prepared, Result>(id: AccountId, by: AuditActor, work: Turn<Prepared, Result>): Promise<Result> {
    const deadlineMs = performance.now() + TURN_WAIT_MS;
    return mailboxes.enter(id, async () => {
      const waitMs = Math.max(0, deadlineMs - performance.now());
      const lease = await locks.acquire(`account:{${id}}`, { leaseMs: LEASE_MS, waitMs });
      if (!lease) throw new AppError('busy', 'Other changes to this account take too long.');
      try {
        return await decideAndSave(id, by, { ...work, lease });
      } finally {
        await lease.release();
      }
    });
  }

  return {
    /** Changes in the mailboxes. */
    waiting: mailboxes.waiting,

    /**
     * Resolves when the change is durable and every process acts on it. `decide` may be called several times, each time
     * with a newer account; only its last result counts. Throws what `decide` throws, and AppError `not_found` (there is
     * no such account, or it is being deleted), `busy`, `conflict`. An account in the middle of whose change a process
     * died can be changed again after five seconds at most.
     */
    run: <Result>(
      id: AccountId,
      by: AuditActor,
      decide: (account: Account, at: Date) => Change<Result>,
    ): Promise<Result> => turn(id, by, { prepare: async () => undefined, decide }),

    /**
     * As `run`, about what `prepare` has found or done elsewhere within the same turn; it takes five seconds at most. It is
     * called again, before `decide`, when the account has changed since. Throws what `prepare` throws, too.
     */
    runPrepared: <Prepared, Result>(
      id: AccountId,
      by: AuditActor,
      { prepare, decide }: Work<Prepared, Result>,
    ): Promise<Result> =>
      turn(id, by, { prepare: (account, at, lease) => renewing(lease, () => prepare(account, at)), decide }),
  };
}

/** Renews the lease while the work lasts. Should it lapse all the same, the version decides. */
async function renewing<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => void lease.renew().catch(() => undefined), LEASE_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The same actors, with another error in the place of `not_found`. */
export function mapNotFound(error: () => AppError, actors: AccountActors): AccountActors {
  const mapped = (thrown: unknown): never => {
    throw isCode(thrown, 'not_found') ? error() : thrown;
  };
  return {
    run: (id, by, decide) => actors.run(id, by, decide).catch(mapped),
    runPrepared: (id, by, work) => actors.runPrepared(id, by, work).catch(mapped),
  };
}
