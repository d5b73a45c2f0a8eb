// Account actors: changes of an account in one order, by a mailbox in this process, a lock over all processes, and
// compare and set. The lock only saves wasted work; the version keeps it correct when the lock expires.
import type { Account, AccountId } from './account.js';
import type { Change } from './changes/change.js';
import { auditEvents, type AuditActor } from './audit-event.js';
import { AppError, isCode } from '../platform/errors.js';
import type { AccountStore } from './account-store.js';
import type { Locks } from '../platform/stores/locks.js';
import { createMailboxes } from './mailbox.js';

const LOCK_EXPIRY_MS = 5000;
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

type Decide<Result, Found extends unknown[] = []> = (account: Account, at: Date, ...found: Found) => Change<Result>;

interface PreparedWork<Prepared, Result> {
  readonly prepare: (account: Account, at: Date) => Promise<Prepared>;
  readonly decide: Decide<Result, [prepared: Prepared]>;
}

export type AccountActors = Pick<ReturnType<typeof createAccountActors>, 'run' | 'runPrepared'>;

/** The actors of this process. */
export function createAccountActors({ accounts, locks, now, onChange }: Ports) {
  const mailboxes = createMailboxes();

  async function decideAndSave<Prepared, Result>(
    id: AccountId,
    by: AuditActor,
    { prepare, decide }: PreparedWork<Prepared, Result>,
  ): Promise<Result> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const account = await accounts.find(id);
      if (!account || account.deleting) throw new AppError('not_found', 'There is no such account.');
      const prepared = await prepare(account, new Date(now()));
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

  function runPrepared<Prepared, Result>(
    id: AccountId,
    by: AuditActor,
    work: PreparedWork<Prepared, Result>,
  ): Promise<Result> {
    const deadlineMs = performance.now() + TURN_WAIT_MS;
    return mailboxes.enter(id, async () => {
      const waitMs = Math.max(0, deadlineMs - performance.now());
      const lock = await locks.acquire(`account:{${id}}`, { expiresAfterMs: LOCK_EXPIRY_MS, waitMs });
      if (!lock) throw new AppError('busy', 'Other changes to this account take too long.');
      // Should it expire all the same, the version decides.
      const renewal = setInterval(() => void lock.renew().catch(() => undefined), LOCK_EXPIRY_MS / 3);
      try {
        return await decideAndSave(id, by, work);
      } finally {
        clearInterval(renewal);
        await lock.release();
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
    run<Result>(id: AccountId, by: AuditActor, decide: Decide<Result>): Promise<Result> {
      return runPrepared(id, by, { prepare: async () => undefined, decide });
    },

    /**
     * As `run`, about what `prepare` has found or done elsewhere within the same turn. It is called again, before `decide`,
     * when the account has changed since. Throws what `prepare` throws, too.
     */
    runPrepared,
  };
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
