// Account actors, which run the changes of an account one after the other. A change first waits for earlier changes in
// the same process (`mailbox.ts`), then for a lock that all processes share. Even if the lock expires early, no change
// is lost, because a save fails if another process has saved the account first.
import type { Account, AccountId } from './account.js';
import type { Change } from './changes/change.js';
import { auditEvents, type AuditActor } from './audit-event.js';
import { AppError, isCode } from '../platform/errors.js';
import type { AccountStore } from './account-store.js';
import type { Locks } from '../platform/stores/locks.js';
import { createMailboxes } from './mailbox.js';
import type { ChangeListener } from './change-listener.js';

const LOCK_EXPIRY_MS = 5000;
/**
 * Maximum total wait in ms before a change starts. A change waits for earlier changes in this process, then for the
 * account's lock.
 */
const TURN_WAIT_MS = 5000;
/**
 * Maximum number of attempts to save a change. An attempt fails if another process has saved the account since this
 * process read it.
 */
const MAX_TRIES = 20;

interface Ports {
  readonly accounts: Pick<AccountStore, 'find' | 'save'>;
  readonly locks: Locks;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called before a change is saved. Adds data about the change to the account, and returns the account to save. */
  readonly record?: ChangeListener['record'];
  /** Called with the saved account after every change. */
  readonly onChange?: (account: Account) => void;
}

type Decide<Result, Found extends unknown[] = []> = (account: Account, at: Date, ...found: Found) => Change<Result>;

interface PreparedWork<Prepared, Result> {
  readonly prepare: (account: Account, at: Date) => Promise<Prepared>;
  readonly decide: Decide<Result, [prepared: Prepared]>;
}

export type AccountActors = Pick<ReturnType<typeof createAccountActors>, 'run' | 'runPrepared'>;

export function createAccountActors({ accounts, locks, now, record, onChange }: Ports) {
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
      const changed = { ...change.account, version: account.version + 1 };
      const next = record ? record({ account: changed, facts: change.facts, at }) : changed;
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
      if (!lock) throw new AppError('busy', 'Other changes to this account are taking too long.');
      // Failed renewals are ignored. If the lock expires and another process changes the account, `save` fails, and
      // `decide` runs again with the newer version.
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
    waiting: mailboxes.waiting,

    /**
     * Changes an account. Resolves when the change is durable and effective in every process. `decide` may be called
     * several times, each time with a newer version of the account. Only its last result is used. Throws the errors of
     * `decide`, and AppError `busy` or `conflict`. Throws AppError `not_found` if the account does not exist or is
     * being deleted. If a process dies during a change, its lock expires after five seconds. Until then, no other
     * change of the account can begin.
     */
    run<Result>(id: AccountId, by: AuditActor, decide: Decide<Result>): Promise<Result> {
      return runPrepared(id, by, { prepare: async () => undefined, decide });
    },

    /**
     * Changes an account like `run`, but awaits `prepare` before `decide`. `prepare` may do I/O. Both run under the
     * account's lock. If another process saves the account first, both run again with the newer version. Throws the
     * errors of `run` and of `prepare`.
     */
    runPrepared,
  };
}

/** Returns actors that throw `error()` instead of AppError `not_found`. */
export function mapNotFound(error: () => AppError, actors: AccountActors): AccountActors {
  const mapped = (thrown: unknown): never => {
    throw isCode(thrown, 'not_found') ? error() : thrown;
  };
  return {
    run: (id, by, decide) => actors.run(id, by, decide).catch(mapped),
    runPrepared: (id, by, work) => actors.runPrepared(id, by, work).catch(mapped),
  };
}
